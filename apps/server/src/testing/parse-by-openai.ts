import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import * as z from 'zod'

/** For callers outside of the server, which have no zod of their own. */
export { z }

/** Asks a compatible API through OpenAI's own package for an answer of a schema; null: it gave none. */
export async function parseByOpenai<Answer extends z.ZodType>({
  url,
  apiKey,
  model,
  text,
  schema,
}: {
  /** Of the program, without `/v1`. */
  url: string
  apiKey: string
  model: string
  text: string
  schema: Answer
}): Promise<unknown> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })
  const completion = await client.chat.completions.parse({
    model,
    messages: [{ role: 'user', content: text }],
    response_format: zodResponseFormat(schema, 'answer'),
  })
  return completion.choices[0]?.message.parsed ?? null
}
