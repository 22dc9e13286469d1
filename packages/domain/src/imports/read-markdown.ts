import type { PromptSettings } from '@catenary/contracts'
import { type Fields, isFields } from '../promptfoo/draft.ts'
import {
  baseName,
  type ForeignPrompt,
  isEmpty,
  NO_TEXT,
  namedOf,
  pickText,
  type Report,
  type SourceFile,
  textOf,
  textsOf,
  toTitle,
  trimLines,
  within,
} from './draft.ts'
import { hasFront, readFront } from './markdown-front.ts'
import { type MarkdownKind, readText } from './markdown-text.ts'
import { readSettings, reportOthers, SETTING_NAMES, setAside, toOutput } from './settings.ts'
import { createNames } from './texts/names.ts'

/*
 * Markdown with front matter. What the kinds add, as their pages say:
 * - SKILL.md (agentskills.io): name, description, license, metadata; files beside it;
 * - .claude/commands: description, argument-hint, allowed-tools, model; `$ARGUMENTS`, `$1`, `!` and `@file`;
 * - .github/prompts (VS Code): mode or agent, tools, model; `${input:name}`, `${selection}`;
 * - Cursor rules (.mdc): description, globs, alwaysApply, written without quotes;
 * - Prompty: model.configuration, model.parameters or model.options, inputs, sample; `system:` and `user:` on lines;
 * - dotprompt: model `vendor/name`, config, input, output.schema; `{{role "system"}}`.
 */
const TITLES = ['title', 'displayName', 'name']
const READ = [
  ...TITLES,
  'model',
  'config',
  'inputs',
  'input',
  'sample',
  'output',
  'outputs',
  'tags',
  'category',
]

const DESCRIPTION_MAX = 1_024

export function isMarkdown({ name, text }: { name: string; text: string }): boolean {
  return hasFront(text) || /\.(md|mdx|markdown|prompt|prompty|mdc)$/i.test(name)
}

export function readMarkdown(
  { name, text }: SourceFile,
  { report, clean }: { report: Report; clean: (text: string) => string },
): ForeignPrompt[] {
  const { fields: about, body } = readFront(text, { report, clean })
  const source = trimLines(body.replace(/\r\n/g, '\n'))
  if (source === '') {
    report.lose('', NO_TEXT, text)
    return []
  }
  const kind = kindOf(name, about)
  const names = createNames([source])
  const conversation = readText(source, { kind, names, report })
  if (conversation === undefined) return []
  const { content, systemPrompt, messages } = conversation
  const skill = kind === 'skill' ? skillOf(about, report) : undefined
  reportOthers(about, { at: '', report, known: [...READ, '$schema', ...(skill ? ['description'] : [])] })
  setAside(about, ['$schema'], 'the file’s editor', report)
  reportInputs(about, report)
  const settings: PromptSettings = {
    ...settingsOf(about, report),
    ...outputOf(about, report),
    ...(systemPrompt && { systemPrompt }),
    ...(messages.length > 0 && { messages }),
  }
  const title = pickText(about, TITLES, { at: '', report })
  const category = pickText(about, ['category'], { at: '', report })
  if (!isReadable(about.tags)) report.lose('tags', 'Some are not tag names', about.tags)
  return [
    {
      at: '',
      title: title ?? nameOf(name),
      content,
      settings,
      tags: textsOf(about.tags),
      ...(category !== undefined && { category }),
      ...(skill !== undefined && { skill }),
      note: `From ${toTitle(name).slice(-150)}`,
    },
  ]
}

const isReadable = (value: unknown): boolean =>
  isEmpty(value) || (Array.isArray(value) ? value : [value]).every((each) => typeof each === 'string')

function kindOf(name: string, about: Fields): MarkdownKind {
  if (/(^|[/\\])SKILL\.md$/i.test(name)) return 'skill'
  if (/(^|[/\\])\.claude[/\\]commands[/\\]/i.test(name) || Object.hasOwn(about, 'argument-hint'))
    return 'command'
  if (/\.prompty$/i.test(name) || isPromptyModel(about.model)) return 'prompty'
  if (/\.prompt$/i.test(name) || isFields(about.config)) return 'dotprompt'
  const isEditors = /\.(prompt|instructions|chatmode|agent)\.md$|(^|[/\\])\.github[/\\]/i.test(name)
  return isEditors || Object.hasOwn(about, 'mode') ? 'editor' : 'plain'
}

const isPromptyModel = (model: unknown): boolean =>
  isFields(model) &&
  ['api', 'configuration', 'parameters', 'options'].some((each) => Object.hasOwn(model, each))

function nameOf(name: string): string {
  const folder = name.split(/[/\\]/).at(-2)
  return /(^|[/\\])SKILL\.md$/i.test(name) && folder ? folder : baseName(name)
}

function skillOf({ description }: Fields, report: Report): ForeignPrompt['skill'] {
  const whole = textOf(description)?.trim()
  if (whole === undefined) return undefined
  const shown = whole.slice(0, DESCRIPTION_MAX).toWellFormed()
  if (shown !== whole)
    report.lose('description', `The description is cut off after ${DESCRIPTION_MAX} characters`, whole, shown)
  return { description: shown, parts: [] }
}

/** Prompty has the model as a group, dotprompt its settings under `config`. */
function settingsOf(about: Fields, report: Report): PromptSettings {
  const { model, config } = about
  const of = (fields: Fields, at: string) => {
    reportOthers(fields, { at, report, known: SETTING_NAMES })
    return readSettings(fields, { at, report })
  }
  if (!isEmpty(config) && !isFields(config)) report.lose('config', 'It is kept as a note', config)
  const dotprompt = isFields(config) ? of(config, 'config') : {}
  if (!isFields(model)) return { ...readSettings({ model }, { at: '', report }), ...dotprompt }
  const { configuration, parameters, options, id, api, ...others } = model
  if (!isEmpty(api) && api !== 'chat')
    report.lose('model.api', 'Its text is sent as a conversation here', api)
  const named = isFields(configuration) ? configuration : {}
  const idName = pickText({ id }, ['id'], { at: 'model', report })
  const deployed = pickText(named, ['azure_deployment', 'name', 'model'], {
    at: 'model.configuration',
    report,
  })
  const name = idName ?? deployed
  if (idName !== undefined && deployed !== undefined && idName !== deployed)
    report.lose('model.configuration', 'model.id is used here; the other name is kept as a note', deployed)
  const { azure_deployment: _deployment, name: _name, model: _model, type: _type, ...access } = named
  // Addresses and keys are not for a report that is kept.
  if (!isEmpty(access))
    report.lose(
      'model.configuration',
      `How the model is reached is not imported: ${namedOf(Object.keys(access))}`,
    )
  reportOthers(others, { at: 'model', report, known: [] })
  const groups = Object.entries({ parameters, options }).filter(([, group]) => !isEmpty(group))
  const [asked, ...unread] = groups.filter(([, group]) => isFields(group))
  for (const [group, value] of [...unread, ...groups.filter(([, each]) => !isFields(each))])
    report.lose(within('model', group), 'It is kept as a note', value)
  return {
    ...(asked && of(asked[1] as Fields, within('model', asked[0]))),
    ...(name && { model: name }),
    ...dotprompt,
  }
}

function outputOf({ output }: Fields, report: Report): PromptSettings {
  if (!isFields(output)) {
    if (!isEmpty(output)) report.lose('output', 'It is kept as a note', output)
    return {}
  }
  const { schema, format, ...others } = output
  reportOthers(others, { at: 'output', report, known: [] })
  if (!isFields(schema)) {
    if (!isEmpty(schema)) report.lose('output.schema', 'It is kept as a note', schema)
    if (!isEmpty(format) && format !== 'text')
      report.lose(
        'output.format',
        'JSON without a schema can’t be requested here, so this is kept as a note',
        format,
      )
    return {}
  }
  if (!isEmpty(format) && format !== 'json')
    report.lose('output.format', 'JSON is requested by a schema here, so this is kept as a note', format)
  return toOutput(schema, { at: 'output.schema', report })
}

function reportInputs({ input, inputs, sample, outputs }: Fields, report: Report): void {
  for (const [name, value] of Object.entries({ input, inputs, sample, outputs })) {
    if (isEmpty(value)) continue
    const reason =
      name === 'outputs'
        ? `${name} is kept as a note`
        : `What ${name} says about the variables is kept as a note`
    report.lose(name, reason, value)
  }
}
