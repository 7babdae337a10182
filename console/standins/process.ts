/** Stands in for what the provider's code asks of its process. */
export const process = { cwd: () => '/', env: {} }
