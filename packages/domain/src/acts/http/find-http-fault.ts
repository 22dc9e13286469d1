import {
  DEPTH_HEADER,
  type HttpTool,
  IDEMPOTENCY_HEADER,
  isReservedHeader,
  isSealed,
  type ToolPart,
} from '@catenary/contracts'
import { type TemplateSyntax, tokenizeTemplate } from '../../template/tokenize.ts'
import type { ToolFault } from '../type-of-tool.ts'
import { AddressTemplateError, readAddressTemplate } from './address-template.ts'
import { findFormFault } from './form-template.ts'
import { findJsonTemplateFault } from './json-template.ts'

export function findHttpFault(tool: HttpTool, syntax: TemplateSyntax): ToolFault | undefined {
  const { url, query, headers, body, method } = tool
  const fault = isSealed(url) ? undefined : addressFault(url, syntax)
  if (fault !== undefined) return { path: 'tool.url', message: fault }
  const named = partFault('tool.query', query, syntax) ?? partFault('tool.headers', headers, syntax)
  if (named) return named
  const twice = firstTwice(headers.map(({ name }) => name.toLowerCase()))
  if (twice !== undefined)
    return { path: `tool.headers.${twice}.name`, message: 'Another header has this name already' }
  const reserved = headers.findIndex(({ name }) => isOurs(name))
  if (reserved !== -1)
    return { path: `tool.headers.${reserved}.name`, message: 'This server sets that header itself' }
  const again = firstTwice(query.map((part, index) => (isSealed(part) ? part.name : index)))
  if (again !== undefined)
    return { path: `tool.query.${again}.name`, message: 'Another sealed value has this name already' }
  if (method === 'GET' && body.type !== 'none')
    return { path: 'tool.body', message: 'A GET call has no body' }
  const wrong = bodyFault(body, syntax)
  return wrong === undefined ? undefined : { path: 'tool.body', message: wrong }
}

function addressFault(address: string, syntax: TemplateSyntax): string | undefined {
  try {
    readAddressTemplate(address, syntax)
    return undefined
  } catch (error) {
    if (error instanceof AddressTemplateError) return error.message
    throw error
  }
}

function partFault(path: string, parts: readonly ToolPart[], syntax: TemplateSyntax): ToolFault | undefined {
  const index = parts.findIndex(({ name }) => hasReference(name, syntax))
  return index === -1 ? undefined : { path: `${path}.${index}.name`, message: 'A name holds no reference' }
}

function bodyFault({ type, content }: HttpTool['body'], syntax: TemplateSyntax): string | undefined {
  if (type === 'none') return content === '' ? undefined : 'Choose what the body is, or leave it empty'
  if (type === 'json') return findJsonTemplateFault(content, syntax)
  return type === 'form' ? findFormFault(content, syntax) : undefined
}

const isOurs = (name: string): boolean =>
  isReservedHeader(name) || [IDEMPOTENCY_HEADER.toLowerCase(), DEPTH_HEADER].includes(name.toLowerCase())

function firstTwice(names: readonly (string | number)[]): number | undefined {
  const at = names.findIndex((name, index) => names.indexOf(name) !== index)
  return at === -1 ? undefined : at
}

const hasReference = (text: string, syntax: TemplateSyntax): boolean =>
  tokenizeTemplate(text, syntax).some(({ kind }) => kind !== 'text')
