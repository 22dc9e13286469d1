import { expect, test } from 'vitest'
import { rankChains } from './rank-chains.ts'
import { LABELLED_CHAINS, UNFIT_REQUESTS } from './testing/labelled-requests.ts'

const chains = LABELLED_CHAINS
const asked = chains.flatMap(({ id, requests }) =>
  requests.map((request) => ({ request, wanted: id, ranked: rankChains(request, chains) })),
)
const unfit = UNFIT_REQUESTS.map((request) => ({
  request,
  wanted: null,
  ranked: rankChains(request, chains),
}))

const leadOf = ([first, second]: { score: number }[]) =>
  first === undefined || first.score === 0 ? 0 : (first.score - (second?.score ?? 0)) / first.score

test('the labelled set is as large as it says', () => {
  expect([chains.length, asked.length, unfit.length]).toEqual([20, 120, 30])
  expect(chains.every(({ exampleRequests }) => exampleRequests.length === 3)).toBe(true)
  const known = chains.flatMap(({ exampleRequests }) => exampleRequests)
  expect(asked.filter(({ request }) => known.includes(request))).toEqual([])
})

test('by words alone, with three examples a chain, the choice is right in 85 % and the best five hold it in 97 %', () => {
  const shareOf = (most: number) =>
    asked.filter(({ wanted, ranked }) => ranked.slice(0, most).some(({ id }) => id === wanted)).length /
    asked.length
  console.log(`by words: right ${percent(shareOf(1))}, in the best five ${percent(shareOf(5))}`)
  expect(shareOf(1)).toBeGreaterThanOrEqual(0.85)
  expect(shareOf(5)).toBeGreaterThanOrEqual(0.97)
})

test('with a threshold, the answered share at 95 % precision is printed', () => {
  const all = [...asked, ...unfit]
  const thresholds = Array.from({ length: 101 }, (_, index) => index / 100)
  const shares = thresholds.flatMap((threshold) => {
    const answered = all.filter(({ ranked }) => leadOf(ranked) >= threshold && leadOf(ranked) > 0)
    const right = answered.filter(({ wanted, ranked }) => ranked[0]?.id === wanted)
    const isPrecise = answered.length > 0 && right.length / answered.length >= 0.95
    return isPrecise ? [{ threshold, share: answered.length / all.length }] : []
  })
  const best = shares.toSorted((a, b) => b.share - a.share)[0]
  console.log(`at 95 % precision: ${percent(best?.share ?? 0)} answered, from ${best?.threshold} on`)
  expect(best?.share).toBeGreaterThan(0.4)
})

test('a chain none of whose words are asked for has no score, and an empty request finds nothing', () => {
  const [first] = rankChains('zebra', chains)
  expect(first?.score).toBe(0)
  expect(rankChains('', chains).every(({ score }) => score === 0)).toBe(true)
  expect(rankChains('anything', [])).toEqual([])
})

test('words are found in any form, and in any alphabet', () => {
  const make = (id: number, name: string) => ({
    ...{ id, name, description: '', tags: [], stepTitles: [], exampleRequests: [] },
  })
  const few = [make(1, 'Übersetzung'), make(2, 'Расписание поездов'), make(3, 'Summaries')]
  expect(rankChains('ÜBERSETZUNG', few)[0]?.id).toBe(1)
  expect(rankChains('расписание на завтра', few)[0]?.id).toBe(2)
  expect(rankChains('a summary', few)[0]?.id).toBe(3)
})

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
