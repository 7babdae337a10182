/** What the work results in, or `late` where that takes longer. Rejects as the work does. */
export async function within<Result>(milliseconds: number, work: Promise<Result>, late: Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds)
  })
  try {
    return await Promise.race([work, enough])
  } finally {
    clearTimeout(timer)
  }
}
