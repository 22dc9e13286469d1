import * as z from 'zod'
import { TOOL_TEMPLATE, toolAnswer } from './tool-parts.ts'
import type { TypeOfTool } from './type-of-tool.ts'

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]
export const BODY_TYPES = ['none', 'json', 'text', 'form'] as const

export const TOOL_ADDRESS_MAX = 4_000
export const TOOL_PARTS_MAX = 30
export const TOOL_PART_MAX = 8_000
export const TOOL_BODY_MAX = 100_000

const partsOf = (what: string, name: z.ZodString) =>
  z
    .array(
      z.strictObject({
        name: name.describe('Name.'),
        value: z.string().max(TOOL_PART_MAX).describe(`${TOOL_TEMPLATE}.`),
      }),
    )
    .max(TOOL_PARTS_MAX, `At most ${TOOL_PARTS_MAX} ${what}`)

const headerName = z
  .string()
  .min(1, 'Name the header')
  .max(200)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Use only letters, digits and hyphens in a header name')
const queryName = z.string().min(1, 'Name the value of the query').max(200)

export const httpTool = z.strictObject({
  type: z.literal('http').describe('http: calls an address.'),
  method: z.enum(HTTP_METHODS).describe('HTTP method.'),
  url: z
    .string()
    .trim()
    .min(1, 'Write the address')
    .max(TOOL_ADDRESS_MAX)
    .describe(
      'Address to call. Scheme, host and port hold no reference; elsewhere one stands for a whole part of the path or a whole value of the query, percent-encoded.',
    ),
  query: partsOf('values of the query', queryName).describe(
    'Values of the query, behind those of the address.',
  ),
  headers: partsOf('headers', headerName).describe('Headers of the call.'),
  body: z
    .strictObject({
      type: z
        .enum(BODY_TYPES)
        .describe(
          'json: JSON in which a reference alone is a value and in a string its text; text: as it is; form: a line for each field, as name=value; none: no body.',
        ),
      content: z.string().max(TOOL_BODY_MAX).describe(`${TOOL_TEMPLATE}. Empty for none.`),
    })
    .describe('What is sent.'),
  answer: toolAnswer,
  safeToRepeat: z
    .boolean()
    .describe(
      'A call that got no answer is sent again, with the same Idempotency-Key. false: the step fails, as nobody knows whether the call happened.',
    ),
})
export type HttpTool = z.infer<typeof httpTool>
export type ToolPart = HttpTool['headers'][number]

/** Its templates in the order in which they are sent. */
export const HTTP_TOOL: TypeOfTool<HttpTool> = {
  texts: ({ url, query, headers, body }) => [
    url,
    ...[...query, ...headers].map(({ value }) => value),
    body.content,
  ],
  withTexts(tool, change) {
    const { url, query, headers, body } = tool
    const changed = ({ name, value }: ToolPart): ToolPart => ({ name, value: change(value) })
    return {
      ...tool,
      url: change(url),
      query: query.map(changed),
      headers: headers.map(changed),
      body: { ...body, content: change(body.content) },
    }
  },
  answer: ({ answer }) => answer,
  isSafeToRepeat: ({ safeToRepeat }) => safeToRepeat,
}
