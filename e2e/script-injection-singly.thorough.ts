import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plantChainRuns } from './injection/chains.ts'
import { inWatchedPage } from './injection/pages.ts'
import {
  type PlaceVisit,
  visitAddresses,
  visitAnswers,
  visitChainRuns,
  visitPromptForms,
  visitRuns,
  visitVariableForms,
} from './injection/places.ts'
import { type InjectionStage, openInjectionStage } from './injection/stage.ts'
import { alone } from './injection/wraps.ts'

/** Pages that share the payloads of one place among them. */
const PARTS = 4
const TIMEOUT_MS = 600_000

let stage: InjectionStage
beforeAll(async () => {
  stage = await openInjectionStage()
})
afterAll(() => stage?.close())

describe('Each script-injection payload is also tried by itself.', () => {
  test("in a prompt's form", () => inParts(visitPromptForms), TIMEOUT_MS)
  test("in a variable's form", () => inParts(visitVariableForms), TIMEOUT_MS)
  test("as a run's text and value, and as its answer", () => inParts(visitRuns), TIMEOUT_MS)
  test('in an address', () => inParts(visitAddresses), TIMEOUT_MS)

  test.for(['written slowly', 'in text', 'in HTML'] as const)(
    "in a model's answer, %s",
    { timeout: TIMEOUT_MS },
    (kind) => inParts((visit) => visitAnswers({ ...visit, kind, wrap: alone[kind] })),
  )

  test(
    'as what went into a step of a chain, and what came out',
    async () => {
      const chains = await plantChainRuns(stage)
      await Promise.all(
        chains.map((chain) =>
          inWatchedPage({
            stage,
            path: '/',
            act: (watched) => visitChainRuns({ ...watched, expect, chains: [chain], every: 1 }),
          }),
        ),
      )
    },
    TIMEOUT_MS,
  )
})

/** Visits a place with every payload, in several pages beside each other. */
async function inParts(visitPlace: (visit: PlaceVisit) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: PARTS }, (_, part) =>
      inWatchedPage({
        stage,
        path: '/',
        act: async (watched) => {
          await watched.page.getByRole('article').first().waitFor()
          const planted = stage.planted.filter((_, index) => index % PARTS === part)
          await visitPlace({ ...watched, expect, stage, planted })
        },
      }),
    ),
  )
}
