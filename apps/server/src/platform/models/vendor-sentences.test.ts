import { afterEach, describe, expect, it } from 'vitest'
import {
  CANARY_KEY,
  FAKE_WIRES,
  type ModelsOnFake,
  startModelsOnFake,
} from '../../testing/fake-providers/start-models-on-fake.ts'

const says = (code: string, sentence: string) => ({ code, message: expect.stringContaining(sentence) })

let on: ModelsOnFake | undefined
afterEach(() => on?.close())

const FAILED: { status: number; body: unknown; type?: string; gives: object }[] = [
  {
    status: 400,
    body: [{ error: { code: 400, message: 'API key not valid.' } }],
    gives: says('model_rejected', '(400). It said: “API key not valid.”'),
  },
  {
    status: 422,
    body: { detail: [{ type: 'missing', loc: ['body', 'max_tokens'], msg: 'Field required' }] },
    gives: says('model_rejected', '“Field required (body.max_tokens)”'),
  },
  {
    status: 400,
    body: { detail: 'Model qwen3 not found' },
    gives: says('model_rejected', '“Model qwen3 not found”'),
  },
  {
    status: 400,
    body: { success: false, errors: [{ code: 7003, message: 'Could not route' }] },
    gives: says('model_rejected', '“Could not route”'),
  },
  {
    status: 400,
    body: 'invalid temperature',
    type: 'text/plain',
    gives: says('model_rejected', '“invalid temperature”'),
  },
  {
    status: 400,
    body: '<html>Bad</html>',
    type: 'text/html',
    gives: { message: expect.stringMatching(/\(400\)\.$/) },
  },
  {
    status: 403,
    body: {
      error: {
        message: 'Your project does not have access to model gpt-x',
        type: 'invalid_request_error',
        code: 'model_not_found',
      },
    },
    gives: says('model_rejected', 'did not accept the request (403). It said: “Your project'),
  },
  { status: 403, body: {}, gives: says('model_key', 'Check ') },
  {
    status: 401,
    body: { error: { message: `Incorrect API key provided: ${CANARY_KEY}. Or can********0c9e` } },
    gives: says('model_key', '“Incorrect API key provided: [key]. Or [key]”'),
  },
  {
    status: 503,
    body: { error: { code: 503, message: 'Loading model' } },
    gives: says('model_unavailable', 'at the moment (503). It said: “Loading model”'),
  },
]
describe.each(FAKE_WIRES)('a failed reply over the $name wire', (wire) => {
  it.each(FAILED)(
    'A failure says what its vendor said of it, in one sentence without a key, in whatever form the vendor writes errors. ($status, $body)',
    async ({ status, body, type = 'application/json', gives }) => {
      on = await startModelsOnFake({ wire })
      const raw = typeof body === 'string' ? body : JSON.stringify(body)
      on.fake.replyByDefault({ status, raw, headers: { 'content-type': type } })
      const outcome = await on.models
        .generate({ alias: wire.alias, prompt: 'hi' })
        .catch((error: unknown) => error)
      expect(outcome).toMatchObject(gives)
      expect(String(outcome)).not.toContain(CANARY_KEY)
    },
  )
})
