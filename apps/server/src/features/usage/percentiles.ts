/** Of a histogram whose buckets are a quarter of a doubling each, by their numbers. */
export interface Buckets {
  bucket: number
  runs: number
}

/** So long, in milliseconds, took that part of the runs at most; within a bucket they are taken as evenly spread. */
export function percentile(histogram: Buckets[], part: number): number | null {
  const all = histogram.reduce((sum, { runs }) => sum + runs, 0)
  let before = 0
  for (const { bucket, runs } of histogram.toSorted((a, b) => a.bucket - b.bucket)) {
    if (before + runs >= part * all) return Math.round(2 ** ((bucket + (part * all - before) / runs) / 4))
    before += runs
  }
  return null
}
