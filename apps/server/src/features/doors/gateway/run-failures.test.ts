import { describe, expect, test } from 'vitest'
import type { RunFailure, RunFailureCode } from '../../runs/runs.ts'
import { type GatewayErrorKind, RUN_FAILURES, toRunError } from './gateway-error.ts'
import { anthropicError } from './wires/anthropic-error.ts'
import { openaiError } from './wires/openai-common.ts'

/** With the status that is final to each wire's clients. */
const WIRES = { anthropic: { write: anthropicError, final: 403 }, openai: { write: openaiError, final: 400 } }

/** What each client repeats by itself, by its source: statuses, and whether it heeds `x-should-retry`. */
const LANGCHAIN_FINAL = [400, 401, 402, 403, 404, 405, 406, 407, 409, 413]
const isServers = (status: number) => status === 408 || status === 409 || status === 429 || status >= 500
interface Answer {
  status: number
  isFinal: boolean
}
const BOTH: Record<string, (answer: Answer) => boolean> = {
  'openai and @anthropic-ai/sdk': ({ status, isFinal }) => !isFinal && isServers(status),
  'AI SDK': ({ status }) => isServers(status),
  LangChain: ({ status }) => !LANGCHAIN_FINAL.includes(status),
}
const CLIENTS: Record<keyof typeof WIRES, typeof BOTH> = {
  anthropic: { ...BOTH, 'Claude Code': ({ status }) => status === 400 || isServers(status) },
  openai: { ...BOTH, Codex: ({ status }) => status !== 400 },
}

/** What had answered, or may have, before the first step failed. */
const PAID: readonly RunFailureCode[] = [
  ...(['answer_invalid', 'answer_cut', 'aborted', 'cancelled'] as const),
  ...(['server_broke_off', 'lost', 'internal'] as const),
  // Nothing that a call should repeat: the chain ends or waits there, or a service may have had its call.
  'stopped_by_step',
  'tool_failed',
  'tool_unsure',
  'ask_rejected',
  'run_waiting',
]
const FREE = new Set<GatewayErrorKind>([
  'invalid',
  'unprocessable',
  'forbidden',
  'rate',
  'quota',
  'overloaded',
])

const codes = Object.keys(RUN_FAILURES) as RunFailureCode[]
const failed = (code: RunFailureCode, position: number): RunFailure => ({
  status: 'failed',
  code,
  message: 'Why',
  isPassing: true,
  retryAfterMs: 9_000,
  step: { position, title: 'Write' },
})

describe.each(['anthropic', 'openai'] as const)('a failed run on the wire of %s', (wire) => {
  const { write, final } = WIRES[wire]

  test.each(codes)(
    'No failure of a run is 500, and no client repeats a paid failure by its own rule (D73). (%s)',
    (code) => {
      for (const position of [0, 1]) {
        const error = toRunError(failed(code, position))
        const { status, body } = write(error)
        const isPaid = position > 0 || PAID.includes(code)
        expect(status).not.toBe(500)
        if (!isPaid) {
          expect(FREE).toContain(error.kind)
          continue
        }
        expect([status, error.isFinal, error.retryAfter]).toEqual([final, true, undefined])
        expect(body).toMatchObject({
          error: {
            code: code === 'run_waiting' ? code : 'chain_failed',
            message: expect.stringContaining('Why'),
          },
        })
        const asking = Object.entries(CLIENTS[wire]).filter(([, repeats]) =>
          repeats({ status, isFinal: error.isFinal }),
        )
        expect(asking.map(([name]) => name)).toEqual([])
      }
    },
  )

  test('a code of a later release counts as paid', () => {
    const error = toRunError(failed('of_tomorrow' as RunFailureCode, 0))
    expect([write(error).status, error.kind]).toEqual([final, 'chain_failed'])
  })
})

test('where nothing had completed, the model’s state goes through with its time', () => {
  const error = toRunError(failed('model_quota', 0))
  expect([error.kind, error.isFinal, error.retryAfter]).toEqual(['rate', false, 9])
  expect(toRunError(failed('model_unavailable', 0)).kind).toBe('overloaded')
})
