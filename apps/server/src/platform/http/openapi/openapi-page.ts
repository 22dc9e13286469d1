import { addressOf } from '@catenary/contracts'
import { escapeHtml } from '../html.ts'
import { API_PAGE_STYLE } from './openapi-page-style.ts'

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
  $ref?: string
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

interface ShownPage {
  api: ApiDocument
  nonce: string
}

export function renderApiIndex({ api, nonce }: ShownPage): string {
  const sections = [...sectionsOf(api)]
  return renderPage({
    nonce,
    title: `API – ${api.info.title}`,
    header: `<p class="brand"><a href="/">${escapeHtml(api.info.title)}</a></p>
<h1>API</h1>
<p>${prose(api.info.description ?? '')}</p>
<p><a href="${addressOf('GET /api/openapi.json', {})}">The OpenAPI ${escapeHtml(api.openapi)} document</a></p>`,
    main: sections.map(([tag, entries]) => renderListed(tag, entries)).join('\n'),
  })
}

export function renderApiSection({
  api,
  nonce,
  section,
}: ShownPage & { section: string }): string | undefined {
  const sections = sectionsOf(api)
  const tag = [...sections.keys()].find((one) => slug(one) === section)
  if (tag === undefined) return undefined
  const others = [...sections.keys()].map(
    (one) =>
      `<li><a href="${placeOf(one)}"${one === tag ? ' aria-current="page"' : ''}>${escapeHtml(one)}</a></li>`,
  )
  return renderPage({
    nonce,
    title: `${tag} – API – ${api.info.title}`,
    header: `<p class="brand"><a href="/">${escapeHtml(api.info.title)}</a> <a href="${addressOf('GET /api/docs', {})}">API</a></p>
<h1>${escapeHtml(tag)}</h1>
<nav aria-label="Sections"><ul>${others.join('')}</ul></nav>`,
    main: `<section>${(sections.get(tag) ?? []).map(renderOperation).join('\n')}</section>`,
  })
}

interface PageParts {
  nonce: string
  title: string
  header: string
  main: string
}

const renderPage = ({ nonce, title, header, main }: PageParts) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg">
<style nonce="${nonce}">${API_PAGE_STYLE}</style>
</head>
<body>
<header>
${header}
</header>
<main>${main}</main>
</body>
</html>
`

function sectionsOf(api: ApiDocument): Map<string, Entry[]> {
  const entries = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const byTag = Map.groupBy(entries, ({ operation }) => operation.tags?.[0] ?? 'other')
  return new Map([...byTag].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const placeOf = (tag: string): string =>
  addressOf('GET /api/docs/{section}', { params: { section: slug(tag) } })

/** What a browser opens the operation by: it lies within it. */
const anchorOf = ({ method, path }: Pick<Entry, 'method' | 'path'>): string => slug(method + path)

function renderListed(tag: string, entries: Entry[]): string {
  const items = entries.map(
    (entry) => `<li><a href="${placeOf(tag)}#${anchorOf(entry)}">${nameOf(entry)}</a> ${aboutOf(entry)}</li>`,
  )
  return `<section><h2><a href="${placeOf(tag)}">${escapeHtml(tag)}</a></h2><ul class="operations">${items.join('\n')}</ul></section>`
}

const nameOf = ({ method, path }: Entry): string =>
  `<span class="method ${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code>`

const aboutOf = ({ operation: { summary = '' } }: Entry): string =>
  `<span class="about">${escapeHtml(summary)}</span>`

function renderOperation(entry: Entry): string {
  const { description, parameters = [], requestBody, responses } = entry.operation
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
  return `<details>
<summary><h2>${nameOf(entry)}</h2> ${aboutOf(entry)}</summary>
<div class="operation" id="${anchorOf(entry)}">
${description === undefined ? '' : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? '' : `<h3>Parameters</h3>${renderRows(parameters.map((p) => ({ ...p, label: `${p.name} <small>${p.in}</small>` })))}`}
${bodies.map((schema) => `<h3>Body</h3>${renderSchema(schema)}`).join('')}
<h3>Replies</h3>
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
  if (schema.$ref?.includes('/JsonValue') === true) return 'any JSON'
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

const isWorthShowing = (bound: number | undefined): boolean =>
  Number.isSafeInteger(bound) && Math.abs(bound ?? 0) < Number.MAX_SAFE_INTEGER

const slug = (tag: string): string => tag.replaceAll(/[^A-Za-z0-9]+/g, '-')

function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
