import type { PromptSettings, Turn } from '@catenary/contracts'
import { type Fields, ImportError, isFields } from '../promptfoo/draft.ts'
import { readFile } from '../promptfoo/read-file.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  pick,
  type Report,
  type SourceFile,
  textOf,
  textsOf,
  toTitle,
  within,
} from './draft.ts'
import { convertReferences } from './references.ts'
import { readSettings, reportOthers, SETTING_NAMES, toOutput } from './settings.ts'
import { tidy } from './tidy.ts'
import { type Conversation, toConversation } from './turns.ts'

/*
 * Markdown with front matter. What the kinds add, as their pages say:
 * - SKILL.md (agentskills.io): name, description, license, metadata; files beside it;
 * - .claude/commands: description, argument-hint, allowed-tools, model; `$ARGUMENTS`, `$1`, `!` and `@file`;
 * - .github/prompts (VS Code): mode or agent, tools, model; `${input:name}`, `${selection}`;
 * - Prompty: model.configuration, model.parameters or model.options, inputs, sample; `system:` and `user:` on lines;
 * - dotprompt: model `vendor/name`, config, input, output.schema; `{{role "system"}}`.
 */
const FRONT = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/
const KNOWN =
  'name title displayName model config inputs input sample output outputs tags category version $schema'.split(
    ' ',
  )
const ROLE_LINE = /^[ \t]*#{0,6}[ \t]*(system|developer|user|assistant):[ \t]*$/gim
const ROLE_HELPER = /\{\{\s*role\s+["'](system|user|model|assistant)["']\s*\}\}/g

export function isMarkdown({ name, text }: { name: string; text: string }): boolean {
  return FRONT.test(text) || /\.(md|mdx|markdown|prompt|prompty|mdc)$/i.test(name)
}

/** Throws `ImportError` for front matter that can't be read. */
export function readMarkdown(
  { name, text }: SourceFile,
  { report, clean }: { report: Report; clean: (text: string) => string },
): ForeignPrompt[] {
  const front = FRONT.exec(text)
  const fields = front?.[1] === undefined || front[1].trim() === '' ? {} : tidy(readFront(front[1]), clean)
  if (!isFields(fields)) {
    report.lose('front matter', 'It has no names, and is kept as a note', fields)
  }
  const about = isFields(fields) ? fields : {}
  const source = (front ? text.slice(front[0].length) : text).replace(/\r\n/g, '\n').trim()
  if (source === '') {
    report.lose('', 'It has no text of a prompt', text)
    return []
  }
  const body = plainReferences(source, report)
  const conversation = readTurns(body, report)
  if (conversation === undefined) return []
  const { content, systemPrompt, messages } = conversation
  reportOthers(about, { at: '', report, known: KNOWN })
  reportInputs(about, report)
  const settings: PromptSettings = {
    ...settingsOf(about, report),
    ...outputOf(about, report),
    ...(systemPrompt && { systemPrompt }),
    ...(messages.length > 0 && { messages }),
  }
  const category = textOf(about.category)
  return [
    {
      at: '',
      title: toTitle(textOf(pick(about, ['title', 'displayName', 'name'])) ?? nameOf(name)),
      content,
      settings,
      tags: textsOf(about.tags),
      ...(category !== undefined && { category: toTitle(category).slice(0, 50) }),
      note: `From ${toTitle(name).slice(-150)}`,
    },
  ]
}

function readFront(text: string): unknown {
  try {
    return readFile(text)
  } catch (error) {
    if (error instanceof ImportError) throw new ImportError(`Front matter: ${error.message}`)
    throw error
  }
}

/** A skill is called as its folder. */
function nameOf(name: string): string {
  const folder = name.split(/[/\\]/).at(-2)
  return /(^|[/\\])SKILL\.md$/i.test(name) && folder ? folder : baseName(name)
}

/** What Claude's commands and VS Code's prompts write for a value, as a name in braces. */
function plainReferences(source: string, report: Report): string {
  const at = 'text'
  const runs = /!`[^`\n]{1,200}`/.exec(source)
  if (runs) report.lose(at, 'A command that a shell would run stays as text', runs[0])
  const context = /\$\{(?!input:)[A-Za-z][A-Za-z:]{0,60}\}/.exec(source)
  if (context) report.lose(at, 'What an editor fills in stays as text', context[0])
  return source
    .replace(/\$\{input:([A-Za-z0-9_]{1,50})(?::([^{}\n]{0,200}))?\}/g, (_, name: string, hint?: string) => {
      if (hint) report.lose(at, `What the form says of ${name} is kept as a note`, hint)
      return `{{${name}}}`
    })
    .replace(/\$ARGUMENTS\b/g, '{{arguments}}')
    .replace(/(?<![\w$])\$([1-9])(?![\w.,])/g, '{{argument_$1}}')
}

/** Prompty's roles stand on lines of their own, dotprompt's are helpers. */
function readTurns(body: string, report: Report): Conversation | undefined {
  const marked = body.replace(
    ROLE_HELPER,
    (_, role: string) => `\n${role === 'model' ? 'assistant' : role}:\n`,
  )
  const marks = [...marked.matchAll(ROLE_LINE)]
  if (marks.length === 0 || marked.slice(0, marks[0]?.index).trim() !== '') {
    return {
      systemPrompt: undefined,
      messages: [] as Turn[],
      content: convertReferences(body, { at: 'text', report }),
    }
  }
  const list = marks.map((mark, index) => ({
    role: mark[1]?.toLowerCase(),
    content: marked.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim(),
  }))
  const conversation = toConversation(list, { at: 'text', report })
  if (conversation === undefined) report.lose('text', 'It has no text of a prompt', body)
  return conversation
}

/** Prompty has the model as a group, dotprompt its settings under `config`. */
function settingsOf(about: Fields, report: Report): PromptSettings {
  const { model, config } = about
  const of = (fields: Fields, at: string) => {
    reportOthers(fields, { at, report, known: SETTING_NAMES })
    return readSettings(fields, { at, report })
  }
  const dotprompt = isFields(config) ? of(config, 'config') : {}
  if (!isFields(model)) return { ...readSettings({ model }, { at: '', report }), ...dotprompt }
  const { configuration, parameters, options, id, api: _, ...others } = model
  const named = isFields(configuration) ? configuration : {}
  const name = textOf(id) ?? textOf(pick(named, ['azure_deployment', 'name', 'model']))
  const { azure_deployment: _deployment, name: _name, model: _model, type: _type, ...access } = named
  if (!isEmpty(access)) {
    const names = Object.keys(access).slice(0, 5).join(', ').slice(0, 120)
    // Addresses and keys are not for a report that is kept.
    report.lose('model.configuration', `How the model is reached stays behind: ${names}`)
  }
  reportOthers(others, { at: 'model', report, known: [] })
  const asked = [parameters, options].find(isFields) ?? {}
  return {
    ...of(asked, within('model', isFields(parameters) ? 'parameters' : 'options')),
    ...(name && { model: name }),
    ...dotprompt,
  }
}

function outputOf({ output }: Fields, report: Report): PromptSettings {
  if (!isFields(output)) return {}
  const { schema, format: _, ...others } = output
  reportOthers(others, { at: 'output', report, known: [] })
  if (!isFields(schema)) {
    if (!isEmpty(schema)) report.lose('output.schema', 'It is kept as a note', schema)
    return {}
  }
  return toOutput(schema, { at: 'output.schema', report })
}

function reportInputs({ input, inputs, sample, outputs }: Fields, report: Report): void {
  for (const [name, value] of Object.entries({ input, inputs, sample, outputs })) {
    if (isEmpty(value)) continue
    const reason =
      name === 'outputs'
        ? `${name} is kept as a note`
        : `What ${name} says of the variables is kept as a note`
    report.lose(name, reason, value)
  }
}
