/** Pulumi's `customTimeouts`, in seconds; 0: there is none. */
export const timeLimit = (seconds: number): { readonly timeoutMilliseconds?: number } =>
  seconds > 0 ? { timeoutMilliseconds: seconds * 1000 } : {}
