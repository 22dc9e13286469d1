/** A histogram by bucket number; four buckets per doubling. */
export interface Buckets {
  bucket: number
  runs: number
}

/** The time in milliseconds that a fraction of the runs did not exceed; runs are spread evenly within a bucket. */
export function percentile(histogram: Buckets[], part: number): number | null {
  const all = histogram.reduce((sum, { runs }) => sum + runs, 0)
  let before = 0
  for (const { bucket, runs } of histogram.toSorted((a, b) => a.bucket - b.bucket)) {
    if (before + runs >= part * all) return Math.round(2 ** ((bucket + (part * all - before) / runs) / 4))
    before += runs
  }
  return null
}
