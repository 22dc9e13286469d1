import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lexicalConfidence, rankChains } from './rank-chains.ts'
import { LABELLED_CHAINS, UNFIT_REQUESTS } from './testing/labelled-requests.ts'

const chains = LABELLED_CHAINS
const asked = chains.flatMap(({ id, requests }) => requests.map((request) => ({ request, wanted: id })))

/** How many requests find their chain among the best so many; figures are in `npm run bench best-chain`. */
const countRight = (among: typeof chains, most: number) =>
  asked.filter(({ request, wanted }) =>
    rankChains(request, among)
      .slice(0, most)
      .some(({ id }) => id === wanted),
  ).length

test('the labelled set is as large as it says, and does not give its answers away', () => {
  const requests = asked.map(({ request }) => request)
  expect([chains.length, asked.length, UNFIT_REQUESTS.length]).toEqual([20, 240, 135])
  expect(new Set([...requests, ...UNFIT_REQUESTS]).size).toBe(375)
  expect(chains.every(({ exampleRequests }) => exampleRequests.length === 3)).toBe(true)
  const known = chains.flatMap(({ exampleRequests }) => exampleRequests)
  expect(requests.filter((request) => known.includes(request))).toEqual([])
})

test('examples help, and the eight that a judge is shown hold more than the first', () => {
  const without = chains.map((chain) => ({ ...chain, exampleRequests: [] }))
  expect(countRight(chains, 1)).toBeGreaterThan(countRight(without, 1))
  expect(countRight(chains, 8)).toBeGreaterThan(countRight(chains, 1))
})

const score = fc.double({ min: 0, max: 200, noNaN: true })
const confidenceOf = (...scores: number[]) =>
  lexicalConfidence(scores.toSorted((a, b) => b - a).map((score, id) => ({ id, score })))

test('Confidence by words is the lead of the best chain on a fixed scale, with the best score beside it (D64).', () => {
  fc.assert(
    fc.property(score, score, score, (a, b, more) => {
      const { confidence, bestScore } = confidenceOf(a, b)
      expect(confidence).toBeGreaterThanOrEqual(0)
      expect(confidence).toBeLessThanOrEqual(bestScore)
      expect(bestScore).toBeLessThan(1)
      // Words that match both equally don't add confidence.
      expect(confidenceOf(a + more, b + more).confidence).toBeCloseTo(confidence, 6)
      expect(confidenceOf(Math.max(a, b) + more, Math.min(a, b)).confidence).toBeGreaterThanOrEqual(
        confidence - 1e-9,
      )
    }),
  )
  expect(confidenceOf(7, 7, 1)).toMatchObject({ confidence: 0 })
  expect(confidenceOf(0, 0)).toEqual({ confidence: 0, bestScore: 0 })
  expect(confidenceOf()).toEqual({ confidence: 0, bestScore: 0 })
})

test('a single word that one chain has counts less than a sentence that fits it', () => {
  const [word = 0, sentence = 0] = ['flour', 'Scale this bread recipe, flour and all, to eighty guests'].map(
    (request) => lexicalConfidence(rankChains(request, chains)).confidence,
  )
  expect(word).toBeGreaterThan(0)
  expect(sentence).toBeGreaterThan(word)
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
