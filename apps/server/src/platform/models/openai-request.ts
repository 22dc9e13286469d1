import type { ModelCall } from './model-types.ts'
import { turnsOf } from './wire.ts'

interface Request {
  call: ModelCall
  modelId: string
}

/** The families that think before they write. */
const REASONING = /^(o\d+(?=-|$)|gpt-([5-9]|\d\d+)(?!-chat)(?=[-.]|$))/

/** What both APIs of OpenAI are sent alike; a model that thinks takes no temperature. */
export function toOpenaiRequest({ call, modelId }: Request) {
  const thinks = REASONING.test(modelId)
  const system = call.system ? [{ role: thinks ? 'developer' : 'system', content: call.system }] : []
  return {
    thinks,
    messages: [...system, ...turnsOf(call)],
    temperature: thinks ? undefined : call.temperature,
    schema: call.schema && { ...call.schema, strict: true },
  }
}
