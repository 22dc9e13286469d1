import { writeFileSync } from 'node:fs'
import { SAMPLED_KINDS, type Sample, samplesOf } from '../../packages/domain/src/testing/assertion-samples.ts'
import { gradeSample, type Verdict } from '../../packages/domain/src/testing/grade-sample.ts'
import { toPromptfoo } from '../../packages/domain/src/testing/promptfoo-form.ts'

// Its own folder has the package: it is far too large to be a dependency of the project.
const { assertions } = await import(new URL('node_modules/promptfoo/dist/src/index.js', import.meta.url).href)
const FIXTURE = new URL(
  '../../packages/domain/src/assertions/testing/promptfoo-verdicts.json',
  import.meta.url,
)

/** What promptfoo itself says of a sample; null where it refuses the assertion, which ends a whole evaluation there. */
async function ask({ assertions: list, threshold, values, answer, reply }: Sample): Promise<Verdict | null> {
  const judge = { id: () => 'judge', callApi: async () => ({ output: reply }) }
  try {
    const { pass, score, namedScores } = await assertions.runAssertions({
      prompt: 'What is the capital of France?',
      provider: judge,
      latencyMs: answer.latencyMs,
      providerResponse: {
        output: answer.text,
        cost: answer.costUsd,
        finishReason: answer.finishReason === 'tool' ? 'tool_calls' : (answer.finishReason ?? undefined),
      },
      test: {
        vars: values,
        assert: list.map(toPromptfoo),
        threshold: threshold ?? undefined,
        options: { provider: judge },
      },
    })
    return { pass, score, metrics: namedScores ?? {} }
  } catch {
    return null
  }
}

const same = (one: Verdict | null, other: Verdict): boolean =>
  one === null ? !other.pass : JSON.stringify(rounded(one)) === JSON.stringify(rounded(other))

/** Sums of fractions end in other last digits. */
function rounded({ pass, score, metrics }: Verdict) {
  const round = (number: number) => Math.round(number * 1e6) / 1e6
  const sorted = Object.entries(metrics).sort(([one], [other]) => (one < other ? -1 : 1))
  return [pass, round(score), sorted.map(([name, value]) => [name, round(value)])]
}

const fixture: Record<string, (ReturnType<typeof rounded> | null)[]> = {}
let differing = 0
for (const kind of SAMPLED_KINDS) {
  const verdicts: (Verdict | null)[] = []
  for (const sample of samplesOf(kind)) {
    const theirs = await ask(sample)
    const ours = await gradeSample(sample)
    verdicts.push(theirs)
    if (same(theirs, ours)) continue
    differing++
    console.log(JSON.stringify({ kind, ...sample, theirs, ours }))
  }
  fixture[kind] = verdicts.map((verdict) => verdict && rounded(verdict))
  const passed = verdicts.filter((verdict) => verdict?.pass).length
  const refused = verdicts.filter((verdict) => verdict === null).length
  console.log(`${kind}: ${verdicts.length} asked, ${passed} passed, ${refused} refused by promptfoo`)
}
const lines = Object.entries(fixture).map(
  ([kind, verdicts]) => `${JSON.stringify(kind)}: ${JSON.stringify(verdicts)}`,
)
writeFileSync(FIXTURE, `{\n${lines.join(',\n')}\n}\n`)
console.log(differing === 0 ? 'promptfoo and Catenary agree on all.' : `They differ on ${differing}.`)
process.exitCode = differing === 0 ? 0 : 1
