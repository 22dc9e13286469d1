import type { PromptSettings } from '@catenary/contracts'
import { stringify } from 'yaml'
import { testsOf } from '../promptfoo/export-suite.ts'
import { toTemplate } from '../promptfoo/templates.ts'
import type { FolderPrompt, FolderSuite } from './folder-records.ts'

function chatOf({ content, settings: { systemPrompt, messages = [] } }: FolderPrompt) {
  if (systemPrompt === undefined && messages.length === 0) return undefined
  const said = [
    ...(systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]),
    ...messages,
    { role: 'user', content },
  ]
  return said.map((message) => ({ role: message.role, content: toTemplate(message.content) }))
}

/** As vendors call them, and Langfuse's clients hand them on. */
function configOf({ model, temperature, maxTokens, stop, effort, output }: PromptSettings) {
  const config = {
    model,
    temperature,
    max_tokens: maxTokens,
    stop,
    reasoning_effort: effort,
    response_format: output && {
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: output.schema },
    },
  }
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}

export function toLangfuse(prompt: FolderPrompt): object {
  const chat = chatOf(prompt)
  return {
    name: prompt.slug,
    type: chat === undefined ? 'text' : 'chat',
    prompt: chat ?? toTemplate(prompt.content),
    config: configOf(prompt.settings),
    labels: [],
    tags: prompt.tags.toSorted(),
  }
}

const yaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' })

export function toPromptfooPrompt(prompt: FolderPrompt): string {
  const chat = chatOf(prompt)
  const raw = chat === undefined ? toTemplate(prompt.content) : JSON.stringify(chat, null, 2)
  return yaml([{ label: prompt.slug, raw }])
}

export const toPromptfooProviders = (providers: readonly string[]): string => yaml({ providers })

export function toPromptfooTests(suite: FolderSuite): string {
  const tests = testsOf(suite)
  if (tests.length === 0) return ''
  return yaml(tests.map((test) => ({ ...test, prompts: [suite.of.slug] })))
}
