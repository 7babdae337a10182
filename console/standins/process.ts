/** Replaces what the provider's code uses of its process. */
export const process = { cwd: () => '/', env: {} }
