import { Readable } from 'node:stream'
import type { ExportFormat, ExportQuery, ModelStatus, User } from '@catenary/contracts'
import {
  toLangfuse,
  toPromptfooPrompt,
  toPromptfooProviders,
  toPromptfooTests,
} from '@catenary/domain/folder'
import type { Context } from '../../platform/context.ts'
import { listModelsFor } from '../models/models.ts'
import { listExportedPrompts, type Scope } from './exports.sql.ts'
import { readFolder, readPrompts, readSuites } from './folder-files.ts'
import { writeZip } from './write-zip.ts'

interface ExportedFile {
  name: string
  type: string
  content: Readable
}

const FILES: Record<ExportFormat, Omit<ExportedFile, 'content'>> = {
  folder: { name: 'catenary.zip', type: 'application/zip' },
  langfuse: { name: 'langfuse-prompts.json', type: 'application/json; charset=utf-8' },
  promptfoo: { name: 'promptfooconfig.yaml', type: 'application/yaml; charset=utf-8' },
}

export function openExport(ctx: Context, { user, query }: { user: User; query: ExportQuery }): ExportedFile {
  const { format, ownership, promptIds, chainIds } = query
  const isChosen = promptIds !== undefined || chainIds !== undefined
  const scope = {
    userId: user.id,
    ownership,
    promptIds: promptIds ?? (isChosen ? [] : undefined),
    chainIds: chainIds ?? (isChosen ? [] : undefined),
    label: undefined,
  }
  return { ...FILES[format], content: READ[format](ctx, scope, user) }
}

const READ: Record<ExportFormat, (ctx: Context, scope: Scope, user: User) => Readable> = {
  folder: (ctx, scope) => writeZip(readFolder(ctx, scope)),
  langfuse: (ctx, scope) => Readable.from(readLangfuse(ctx, scope)),
  promptfoo: (ctx, scope, user) =>
    Readable.from(readPromptfoo(ctx, { scope, models: listModelsFor(ctx, user) })),
}

async function* readLangfuse(ctx: Context, scope: Scope): AsyncGenerator<string> {
  const placed = await listExportedPrompts(ctx.db, scope)
  let separator = '[\n'
  for await (const prompt of readPrompts(ctx, { placed, scope })) {
    yield `${separator}${JSON.stringify(toLangfuse(prompt))}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* readPromptfoo(
  ctx: Context,
  { scope, models }: { scope: Scope; models: readonly ModelStatus[] },
): AsyncGenerator<string> {
  const placed = await listExportedPrompts(ctx.db, scope)
  const aliases = new Set<string>()
  let head = 'description: Catenary\nprompts:'
  for await (const prompt of readPrompts(ctx, { placed, scope })) {
    if (prompt.settings.model !== undefined) aliases.add(prompt.settings.model)
    yield `${head}${head === '' ? '' : '\n'}${toPromptfooPrompt(prompt)}`
    head = ''
  }
  if (head !== '') yield `${head} []\n`
  yield toPromptfooProviders([...aliases].sort().map((alias) => providerOf(alias, models)))
  let tests = 'tests:\n'
  for await (const suite of readSuites(ctx, { kind: 'prompt', records: placed })) {
    const text = toPromptfooTests(suite)
    if (text === '') continue
    yield `${tests}${text}`
    tests = ''
  }
  if (tests !== '') yield 'tests: []\n'
}

const WIRES: Partial<Record<ModelStatus['provider'], string>> = {
  openai: 'openai:chat',
  anthropic: 'anthropic:messages',
  google: 'google',
  custom: 'openai:chat',
}

function providerOf(alias: string, models: readonly ModelStatus[]): string {
  const model = models.find((each) => each.alias === alias)
  const wire = model && WIRES[model.provider]
  return model === undefined || wire === undefined ? alias : `${wire}:${model.modelId}`
}
