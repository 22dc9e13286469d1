import { expect, it } from 'vitest'
import { FAKE_WIRES, startModelsOnFake } from '../../testing/fake-providers/start-models-on-fake.ts'

const MAX_RETRIES = 3

const ALL = 1 + MAX_RETRIES
const [ANTHROPIC, RESPONSES, CHAT, GEMINI] = FAKE_WIRES

const errorEvents: { wire: (typeof FAKE_WIRES)[number]; errorType: string; code: string; calls: number }[] = [
  { wire: ANTHROPIC, errorType: 'rate_limit_error', code: 'model_quota', calls: ALL },
  { wire: ANTHROPIC, errorType: 'authentication_error', code: 'model_key', calls: 1 },
  { wire: ANTHROPIC, errorType: 'billing_error', code: 'model_quota', calls: 1 },
  { wire: ANTHROPIC, errorType: 'invalid_request_error', code: 'model_rejected', calls: 1 },
  { wire: ANTHROPIC, errorType: 'api_error', code: 'model_unavailable', calls: ALL },
  { wire: CHAT, errorType: 'insufficient_quota', code: 'model_quota', calls: 1 },
  { wire: CHAT, errorType: 'context_length_exceeded', code: 'model_rejected', calls: 1 },
  { wire: RESPONSES, errorType: 'rate_limit_exceeded', code: 'model_quota', calls: ALL },
  { wire: RESPONSES, errorType: 'invalid_prompt', code: 'model_rejected', calls: 1 },
  { wire: GEMINI, errorType: 'RESOURCE_EXHAUSTED', code: 'model_quota', calls: ALL },
  { wire: GEMINI, errorType: 'PERMISSION_DENIED', code: 'model_key', calls: 1 },
]
it.each(errorEvents)(
  'an event $errorType inside a stream of $wire.name fails with $code',
  async ({ wire, errorType, code, calls }) => {
    const on = await startModelsOnFake({ wire })
    on.fake.replyByDefault({ fault: 'error-event', errorType })
    const answer = Array.fromAsync(on.models.stream({ alias: wire.alias, prompt: 'hi' }))
    await expect(answer).rejects.toMatchObject({ code })
    expect(on.fake.journal).toHaveLength(calls)
    await on.close()
  },
)
