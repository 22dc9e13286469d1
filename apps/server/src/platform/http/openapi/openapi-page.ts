import { escapeHtml } from '../html.ts'
import { API_PAGE_STYLE } from './openapi-page-style.ts'

/** The parts of the OpenAPI document that the page shows. */
export interface ApiDocument {
  openapi: string
  info: { title: string; description?: string }
  paths: Record<string, Record<string, ApiOperation>>
}
interface ApiOperation {
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: ApiSchema }[]
  requestBody?: { content: ApiContent }
  responses: Record<string, { description: string; content?: ApiContent }>
}
type ApiContent = Record<string, { schema: ApiSchema }>
interface ApiSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, ApiSchema>
  required?: string[]
  items?: ApiSchema
  anyOf?: ApiSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  pattern?: string
}

interface Entry {
  method: string
  path: string
  operation: ApiOperation
}

/** Every operation on one page, without a script. */
export function renderApiPage({ api, nonce }: { api: ApiDocument; nonce: string }): string {
  const byTag = Map.groupBy(listEntries(api), ({ operation }) => operation.tags?.[0] ?? 'other')
  const tags = [...byTag.keys()].toSorted()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API – ${escapeHtml(api.info.title)}</title>
<link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${API_PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="brand"><a href="/">${escapeHtml(api.info.title)}</a></p>
<h1>API</h1>
<p>${prose(api.info.description ?? '')}</p>
<p><a href="/api/openapi.json">The OpenAPI ${escapeHtml(api.openapi)} document</a></p>
<nav aria-label="Sections"><ul>${tags.map((tag) => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav>
</header>
<main>${tags.map((tag) => renderSection(tag, byTag.get(tag) ?? [])).join('\n')}</main>
</body>
</html>
`
}

function listEntries(api: ApiDocument): Entry[] {
  return Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  )
}

function renderSection(tag: string, entries: Entry[]): string {
  return `<section id="${slug(tag)}"><h2>${escapeHtml(tag)}</h2>${entries.map(renderOperation).join('\n')}</section>`
}

function renderOperation({ method, path, operation }: Entry): string {
  const { summary = '', description, parameters = [], requestBody, responses } = operation
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
  return `<details>
<summary><h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3> <span class="about">${escapeHtml(summary)}</span></summary>
<div class="operation">
${description === undefined ? '' : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${renderRows(parameters.map((p) => ({ ...p, label: `${p.name} <small>${p.in}</small>` })))}`}
${bodies.map((schema) => `<h4>Body</h4>${renderSchema(schema)}`).join('')}
<h4>Replies</h4>
${Object.entries(responses).map(renderReply).join('\n')}
</div>
</details>`
}

function renderReply([status, { description, content = {} }]: [string, ApiOperation['responses'][string]]) {
  const [schema] = Object.values(content).map((one) => one.schema)
  const said = description === 'Default Response' ? '' : prose(description)
  const about = schema?.items === undefined ? said : `list of ${said}`
  const shown = schema === undefined || isError(schema) ? '' : renderSchema(schema.items ?? schema)
  return `<div class="reply"><p><strong>${escapeHtml(status)}</strong> ${about}</p>${shown}</div>`
}

/** The one form of failures, which the page's head describes. */
function isError(schema: ApiSchema): boolean {
  return Object.keys(schema.properties ?? {}).join() === 'error,details'
}

interface Row {
  label: string
  required?: boolean | undefined
  description?: string | undefined
  schema: ApiSchema
}

function renderSchema(schema: ApiSchema): string {
  const rows = listFields(schema, '')
  return rows.length === 0 ? `<p>${escapeHtml(nameType(schema))}</p>` : renderRows(rows)
}

function listFields(schema: ApiSchema, prefix: string): Row[] {
  if (schema.items !== undefined) return listFields(schema.items, `${prefix.replace(/\.$/, '')}[].`)
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    {
      label: escapeHtml(`${prefix}${name}`),
      required: schema.required?.includes(name),
      description: field.description,
      schema: field,
    },
    ...listFields(field, `${prefix}${name}.`),
  ])
}

function renderRows(rows: Row[]): string {
  const lines = rows.map(
    ({ label, required, description, schema }) =>
      `<tr><th scope="row"><code>${label}</code></th><td>${escapeHtml(nameType(schema))}${required ? '' : ' <em>optional</em>'}</td>` +
      `<td>${prose(description ?? schema.description ?? '')} <small>${escapeHtml(nameLimits(schema))}</small></td></tr>`,
  )
  return `<div class="table"><table><tbody>${lines.join('')}</tbody></table></div>`
}

function nameType(schema: ApiSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) return schema.anyOf.map(nameType).join(' | ')
  if (schema.items !== undefined) return `list of ${nameType(schema.items)}`
  return [schema.type ?? 'any'].flat().join(' | ')
}

function nameLimits(schema: ApiSchema): string {
  const { minLength, maxLength, maxItems, minimum, maximum, format } = schema
  const limits = [
    format,
    minLength === undefined ? undefined : `at least ${minLength} characters`,
    maxLength === undefined ? undefined : `at most ${maxLength.toLocaleString('en')} characters`,
    maxItems === undefined ? undefined : `at most ${maxItems}`,
    isWorthShowing(minimum) ? `from ${minimum}` : undefined,
    isWorthShowing(maximum) ? `to ${maximum}` : undefined,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
  return limits.filter((limit) => limit !== undefined).join(', ')
}

/** Not the bound of each integer. */
const isWorthShowing = (bound: number | undefined): boolean =>
  Number.isSafeInteger(bound) && Math.abs(bound ?? 0) < Number.MAX_SAFE_INTEGER

const slug = (tag: string): string => tag.replaceAll(/[^A-Za-z0-9]+/g, '-')

function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
