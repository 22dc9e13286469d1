interface Weighted {
  passed: boolean
  score: number
  reason: string
  weight: number
  metric: string | null
}

interface Sum {
  score: number
  weight: number
}

export interface Score {
  total: Sum
  metrics: Map<string, Sum>
  failure: string | null
  count: number
}

export function startScore(): Score {
  return { total: { score: 0, weight: 0 }, metrics: new Map(), failure: null, count: 0 }
}

/** Adds a result; of a set with what its own results add up to, whose metrics count by the set's weight. */
export function addResult(
  into: Score,
  { passed, score, reason, weight, metric }: Weighted,
  set?: Score,
): void {
  into.count++
  add(into.total, { score, weight })
  if (metric !== null) add(metricOf(into, metric), { score, weight })
  for (const [name, sum] of set?.metrics ?? []) {
    if (name !== metric) add(metricOf(into, name), { score: mean(sum), weight: sum.weight * weight })
  }
  if (!passed) into.failure ??= reason
}

function add(sum: Sum, { score, weight }: Sum): void {
  sum.score += score * weight
  sum.weight += weight
}

function metricOf({ metrics }: Score, name: string): Sum {
  const known = metrics.get(name)
  if (known !== undefined) return known
  const sum = { score: 0, weight: 0 }
  metrics.set(name, sum)
  return sum
}

function mean({ score, weight }: Sum): number {
  return weight > 0 ? score / weight : 0
}

export function scoreOf({ total, metrics, failure, count }: Score, threshold: number | null) {
  const score = count === 0 ? 1 : mean(total)
  const named = Object.fromEntries([...metrics].map(([name, sum]) => [name, mean(sum)]))
  if (count === 0) return { passed: true, score, reason: 'No assertions', metrics: named }
  if (threshold === null) {
    return { passed: failure === null, score, reason: failure ?? 'All assertions passed', metrics: named }
  }
  const reason = `Score ${score.toFixed(2)}, at least ${threshold}`
  return { passed: score >= threshold, score, reason, metrics: named }
}
