/** Resolves when the work is done or that much time has passed. Rejects as the work does. */
export async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}
