import type { ModelStatus } from '@catenary/contracts'
import {
  toLangfuse,
  toPromptfooPrompt,
  toPromptfooProviders,
  toPromptfooTests,
} from '@catenary/domain/folder'
import type { Executor } from '../../db/executor.ts'
import { listExportedPrompts, type Scope } from './exports.repository.ts'
import { readPrompts, readSuites } from './folder-files.ts'

/** Prompts as a list of Langfuse's, piece by piece. */
export async function* readLangfuse(executor: Executor, scope: Scope): AsyncGenerator<string> {
  const placed = await listExportedPrompts(executor, scope)
  let separator = '[\n'
  for await (const prompt of readPrompts(executor, { placed, scope })) {
    yield `${separator}${JSON.stringify(toLangfuse(prompt))}`
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** Prompts with their tests as a configuration of promptfoo's, piece by piece. */
export async function* readPromptfoo(
  executor: Executor,
  { scope, models }: { scope: Scope; models: readonly ModelStatus[] },
): AsyncGenerator<string> {
  const placed = await listExportedPrompts(executor, scope)
  const aliases = new Set<string>()
  let head = 'description: Catenary\nprompts:'
  for await (const prompt of readPrompts(executor, { placed, scope })) {
    if (prompt.settings.model !== undefined) aliases.add(prompt.settings.model)
    yield `${head}${head === '' ? '' : '\n'}${toPromptfooPrompt(prompt)}`
    head = ''
  }
  if (head !== '') yield `${head} []\n`
  yield toPromptfooProviders([...aliases].sort().map((alias) => providerOf(alias, models)))
  let tests = 'tests:\n'
  for await (const suite of readSuites(executor, { kind: 'prompt', records: placed })) {
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

/** The model as promptfoo calls it; one that is gone by its name here. */
function providerOf(alias: string, models: readonly ModelStatus[]): string {
  const model = models.find((each) => each.alias === alias)
  const wire = model && WIRES[model.provider]
  return model === undefined || wire === undefined ? alias : `${wire}:${model.modelId}`
}
