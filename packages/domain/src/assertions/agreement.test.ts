import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SAMPLED_KINDS, SAMPLES_PER_KIND, samplesOf } from '../testing/assertion-samples.ts'
import { gradeSample } from '../testing/grade-sample.ts'

type Metrics = [name: string, score: number][]
/** What promptfoo itself said; null: it refused to grade. `npm run agree:promptfoo` writes it. */
type Verdict = [pass: boolean, score: number, metrics: Metrics] | null

const recorded: Record<string, Verdict[]> = JSON.parse(
  readFileSync(new URL('./testing/promptfoo-verdicts.json', import.meta.url), 'utf8'),
)
const round = (number: number) => Math.round(number * 1e6) / 1e6

test.each(SAMPLED_KINDS)(
  'Each assertion agrees with promptfoo itself on 200 answers of each kind. (%s)',
  async (kind) => {
    const samples = samplesOf(kind)
    const theirs = recorded[kind] ?? []
    expect([samples.length, theirs.length]).toEqual([SAMPLES_PER_KIND, SAMPLES_PER_KIND])
    for (const [index, sample] of samples.entries()) {
      const { pass, score, metrics } = await gradeSample(sample)
      const expected = theirs[index] ?? null
      const what = JSON.stringify(sample)
      if (expected === null) expect(pass, what).toBe(false)
      else {
        const sorted = Object.entries(metrics).sort(([one], [other]) => (one < other ? -1 : 1))
        const ours = [pass, round(score), sorted.map(([name, value]) => [name, round(value)])]
        expect(ours, what).toEqual(expected)
      }
    }
  },
)

test('the samples of each kind pass and fail', () => {
  for (const kind of SAMPLED_KINDS) {
    const passes = new Set((recorded[kind] ?? []).map((verdict) => verdict?.[0] ?? false))
    expect([kind, passes.size]).toEqual([kind, 2])
  }
})
