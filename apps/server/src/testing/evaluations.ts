import type {
  Evaluation,
  EvaluationForecast,
  Prompt,
  StartEvaluationRequest,
  TestCase,
  TestSuite,
} from '@catenary/contracts'
import { expect, vi } from 'vitest'
import { type ChainLibrary, startChainLibrary } from './chain-library.ts'
import type { TestUser } from './harness.ts'
import { sendAsForm } from './send-as-form.ts'

export type EvaluationLab = Awaited<ReturnType<typeof startEvaluationLab>>

type Start = Omit<StartEvaluationRequest, 'ceilingUsd'> & { ceilingUsd?: number }

/** A library whose models are a fake provider, and short ways to make suites and to evaluate them. */
export async function startEvaluationLab(...options: Parameters<typeof startChainLibrary>) {
  const library: ChainLibrary = await startChainLibrary(...options)
  await library.app.start()
  const { owner } = library

  const send = async <T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    { body, as = owner, status = method === 'POST' ? 201 : 200 }: Sent = {},
  ): Promise<T> => {
    const reply = await sendAsForm(library, { method, url, body, as })
    expect(reply.status, reply.text).toBe(status)
    return reply.body as T
  }
  const find = (id: number, as?: TestUser) => send<Evaluation>('GET', `/api/evaluations/${id}`, as && { as })

  const makePrompt = async (
    versions = 1,
    { as = owner, ...fields }: { as?: TestUser; isPublic?: boolean } = {},
  ) => {
    let prompt: Prompt = await library.createPrompt(as, { content: 'v1 $<word>', ...fields })
    for (let version = 2; version <= versions; version += 1) {
      const { title, categoryId } = prompt
      const body = { title, categoryId, content: `v${version} $<word>` }
      prompt = await send('PUT', `/api/prompts/${prompt.id}`, { body, as })
    }
    return prompt
  }

  const makeSuite = async (
    record: { kind: 'prompt' | 'chain'; id: number },
    cases: object[],
    as = owner,
  ): Promise<TestSuite & { cases: TestCase[] }> => {
    const path = `/api/${record.kind}s/${record.id}/test-suites`
    const suite = await send<TestSuite>('POST', path, { body: { name: 'Launch mails' }, as })
    const made: TestCase[] = []
    for (const fields of cases) {
      made.push(await send('POST', `/api/test-suites/${suite.id}/cases`, { body: fields, as }))
    }
    return { ...suite, cases: made }
  }

  return {
    ...library,
    send,
    find,
    /** A prompt of so many versions, `v1 $<word>` and so on. */
    makePrompt,
    makeSuite,

    /** A prompt of two versions, the second of which says no word, and a suite of so many words. */
    prepare: async (words = ['one', 'two', 'three']) => {
      const prompt = await makePrompt(2)
      const suite = await makeSuite({ kind: 'prompt', id: prompt.id }, wordCases(words))
      library.fake.replyByDefault(({ body }) => {
        const sent = JSON.stringify(body)
        return { text: sent.includes('v2') ? 'nothing' : sent, inputTokens: 10, outputTokens: 5 }
      })
      return { prompt, suite }
    },

    evaluate: ({ ceilingUsd = 10, ...body }: Start, as?: TestUser) =>
      send<Evaluation>('POST', '/api/evaluations', { body: { ...body, ceilingUsd }, ...(as && { as }) }),

    estimate: (body: object, as?: TestUser) =>
      send<EvaluationForecast>('POST', '/api/evaluations/estimate', { body, status: 200, ...(as && { as }) }),

    /** The evaluation once it is no longer running. */
    settled: async (id: number, as?: TestUser): Promise<Evaluation> => {
      await vi.waitFor(async () => expect((await find(id, as)).status).not.toBe('running'), {
        interval: 20,
      })
      return find(id, as)
    },
  }
}

/** A call of the fake costs a tenth of a US cent. */
export const prices = { 'fake-model': { inputPerMillionUsd: 100, outputPerMillionUsd: 0 } }

/** A target. */
export const on = (version: number, model: 'openai' | 'custom' | null = 'openai') => ({ version, model })

export const statusesOf = ({ cells }: Evaluation) => cells.map(({ status }) => status)

interface Sent {
  body?: object
  as?: TestUser
  status?: number
}

/** Cases that ask for a word each, which the answer is to contain. */
export function wordCases(words: string[], more: object = {}): object[] {
  return words.map((word) => ({
    ...{ name: `Says ${word}`, values: { word }, assertions: [{ type: 'contains', value: word }] },
    ...more,
  }))
}
