import { lexicalConfidence, rankChains } from '@catenary/domain'
import { LABELLED_CHAINS, UNFIT_REQUESTS } from '../packages/domain/src/testing/labelled-requests.ts'
import { print } from './lib/measure.ts'

const PRECISION = 0.95

type Ranked = ReturnType<typeof rankChains>
type Chains = Parameters<typeof rankChains>[1]

/** A request with the chain that it is meant for, or none. */
interface Asked {
  wanted: number | null
  ranked: Ranked
}

/** The earlier measure of confidence: the lead as a share of the best score. */
function leadOf([first, second]: Ranked): number {
  return first === undefined || first.score === 0 ? 0 : (first.score - (second?.score ?? 0)) / first.score
}

const CONFIDENCES: Record<string, (ranked: Ranked) => number> = {
  before: leadOf,
  now: (ranked) => lexicalConfidence(ranked).confidence,
  'the best score': (ranked) => lexicalConfidence(ranked).bestScore,
}

const isRight = ({ wanted, ranked }: Asked): boolean =>
  wanted !== null && ranked[0]?.score !== 0 && ranked[0]?.id === wanted

/** The largest share of requests that can be answered with few enough wrong answers, and the threshold for it. */
function answerable(all: Asked[], confidenceOf: (ranked: Ranked) => number) {
  const scored = all
    .map((one) => ({ confidence: confidenceOf(one.ranked), isRight: isRight(one) }))
    .toSorted((a, b) => b.confidence - a.confidence)
  let right = 0
  let most = { count: 0, threshold: 1 }
  for (const [index, one] of scored.entries()) {
    if (one.isRight) right += 1
    // A threshold includes all that are equally sure.
    const isLast = scored[index + 1]?.confidence !== one.confidence
    const isEnough = isLast && one.confidence > 0 && right / (index + 1) >= PRECISION
    if (isEnough) most = { count: index + 1, threshold: one.confidence }
  }
  return { share: most.count / all.length, threshold: most.threshold }
}

/** How often a request that is meant for a chain has more of it than one that is for none; equal ones count half. */
function auroc(all: Asked[], confidenceOf: (ranked: Ranked) => number): number {
  const valuesOf = (isIn: boolean) =>
    all.filter(({ wanted }) => (wanted !== null) === isIn).map(({ ranked }) => confidenceOf(ranked))
  const [inside, outside] = [valuesOf(true), valuesOf(false)]
  const wins = inside.flatMap((a) => outside.map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

function measure(name: string, chains: Chains): void {
  const inScope = LABELLED_CHAINS.flatMap(({ id, requests }) =>
    requests.map((request): Asked => ({ wanted: id, ranked: rankChains(request, chains) })),
  )
  const outOfScope = UNFIT_REQUESTS.map(
    (request): Asked => ({
      wanted: null,
      ranked: rankChains(request, chains),
    }),
  )
  const all = [...inScope, ...outOfScope]
  print({
    figure: `right of ${inScope.length} requests in scope, ${name}`,
    value: percent(inScope.filter(isRight).length / inScope.length),
  })
  for (const [by, confidenceOf] of Object.entries(CONFIDENCES)) {
    const { share, threshold } = answerable(all, confidenceOf)
    print({
      figure: `answerable of ${all.length} at 95 % precision, ${name}: ${by}`,
      value: `${percent(share)} (from ${threshold.toFixed(2)})`,
    })
  }
  for (const [by, confidenceOf] of Object.entries(CONFIDENCES)) {
    print({
      figure: `AUROC, ${inScope.length} in scope from ${outOfScope.length} out of it, ${name}: ${by}`,
      value: auroc(all, confidenceOf).toFixed(3),
    })
  }
}

measure(
  'without examples',
  LABELLED_CHAINS.map((chain) => ({ ...chain, exampleRequests: [] })),
)
measure('with three examples a chain', LABELLED_CHAINS)
