import * as z from 'zod'
import {
  isSealed,
  sealedAddress,
  sealedPart,
  writtenSealedAddress,
  writtenSealedPart,
} from './sealed-parts.ts'
import { TOOL_TEMPLATE, toolAnswer } from './tool-parts.ts'
import type { TypeOfTool } from './type-of-tool.ts'

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]
export const BODY_TYPES = ['none', 'json', 'text', 'form'] as const

export const TOOL_ADDRESS_MAX = 4_000
export const TOOL_PARTS_MAX = 30
export const TOOL_PART_MAX = 8_000
export const TOOL_BODY_MAX = 100_000

const plainPart = (name: z.ZodString) =>
  z.strictObject({
    name: name.describe('Name.'),
    value: z.string().max(TOOL_PART_MAX).describe(`${TOOL_TEMPLATE}.`),
  })
const partsOf = <Part extends z.ZodType>(what: string, part: Part) =>
  z.array(part).max(TOOL_PARTS_MAX, `At most ${TOOL_PARTS_MAX} ${what}`)

export const headerName = z
  .string()
  .min(1, 'Name the header')
  .max(200)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Use only letters, digits and hyphens in a header name')
const queryName = z.string().min(1, 'Name the value of the query').max(200)

const address = z.string().trim().min(1, 'Write the address').max(TOOL_ADDRESS_MAX)
const ADDRESS =
  'Address to call. Scheme, host and port hold no reference; elsewhere one stands for a whole part of the path or a whole value of the query, percent-encoded. Or a sealed one'
const QUERY = 'Values of the query, behind those of the address.'
const HEADERS = 'Headers of the call.'

const fields = {
  type: z.literal('http').describe('http: calls an address.'),
  method: z.enum(HTTP_METHODS).describe('HTTP method.'),
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
      'A call that got no answer is sent again, with the same Idempotency-Key. false: the run waits until its runner says whether the call happened.',
    ),
}

const queryPart = z.union([plainPart(queryName), sealedPart(queryName)])
const headerPart = z.union([plainPart(headerName), sealedPart(headerName)])
export const httpTool = z.strictObject({
  ...fields,
  url: z.union([address, sealedAddress]).describe(`${ADDRESS}, of which only the origin is read.`),
  query: partsOf('values of the query', queryPart).describe(QUERY),
  headers: partsOf('headers', headerPart).describe(HEADERS),
})
export type HttpTool = z.infer<typeof httpTool>
export type ToolPart = HttpTool['headers'][number]

/** The same as it is sent: sealed parts may have a value. */
export const writtenHttpTool = httpTool.extend({
  url: z.union([address, writtenSealedAddress]).describe(`${ADDRESS}.`),
  query: partsOf(
    'values of the query',
    z.union([plainPart(queryName), writtenSealedPart(queryName)]),
  ).describe(QUERY),
  headers: partsOf('headers', z.union([plainPart(headerName), writtenSealedPart(headerName)])).describe(
    HEADERS,
  ),
})

export type WrittenHttpTool = z.infer<typeof writtenHttpTool>

const templatesOf = (parts: readonly ToolPart[]): string[] =>
  parts.flatMap((part) => (isSealed(part) ? [] : part.value))

/** Its templates in the order in which they are sent. */
export const HTTP_TOOL: TypeOfTool<HttpTool> = {
  texts: ({ url, query, headers, body }) => [
    ...(isSealed(url) ? [] : [url]),
    ...templatesOf([...query, ...headers]),
    body.content,
  ],
  withTexts(tool, change) {
    const { url, query, headers, body } = tool
    const changed = (part: ToolPart): ToolPart =>
      isSealed(part) ? part : { ...part, value: change(part.value) }
    return {
      ...tool,
      url: isSealed(url) ? url : change(url),
      query: query.map(changed),
      headers: headers.map(changed),
      body: { ...body, content: change(body.content) },
    }
  },
  answer: ({ answer }) => answer,
  acts: { does: 'calls a service', goTo: 'to the service that this step calls' },
  isSafeToRepeat: ({ safeToRepeat }) => safeToRepeat,
}
