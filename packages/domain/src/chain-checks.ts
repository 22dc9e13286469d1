import {
  asksNobody,
  CHAIN_INPUT,
  CHAIN_INPUT_NAMES,
  KIND_OF_STEP,
  kindOf,
  OWN_FIELDS,
  type OwnFields,
  ownTextsOf,
  type StepSettings,
  type Turn,
} from '@catenary/contracts'
import { describeUnknownField } from './answer-schema/describe-unknown-field.ts'
import type { PathStep } from './answer-schema/paths.ts'
import type { JsonSchema } from './answer-schema/schema-node.ts'
import { isItemName, namesInCondition, referenceOf } from './conditions/condition-names.ts'
import { schemaOfItem, schemaOfOutput } from './items/item-schema.ts'
import { tokenizeTemplate } from './template/tokenize.ts'

/** What of a step decides what it takes and makes; `content` is the text that will run, after system prompt and turns. */
export interface CheckedStep extends OwnFields {
  content: string
  systemPrompt?: string | null | undefined
  messages?: readonly Turn[] | undefined
  outputVariableName: string
  output?: StepSettings['output'] | undefined
  onlyIf?: StepSettings['onlyIf'] | undefined
  default?: StepSettings['default'] | undefined
  ifItFails?: StepSettings['ifItFails'] | undefined
  forEach?: StepSettings['forEach'] | undefined
}

export interface TakenOutput {
  name: string
  from: number
}

type ChainWarningKind =
  | 'self-reference'
  | 'cycle'
  | 'later-output'
  | 'unknown-output'
  | 'unknown-field'
  | 'unknown-variable'
  | 'unused-output'
  | 'may-be-empty'
  | 'asks-nobody'
  | 'unknown-list'
  | 'unused-item'
  | 'unused-input'

export interface ChainWarning {
  kind: ChainWarningKind
  step: number | null
  name: string | null
  message: string
}

/** Harmless: shown at the step, but it does not ask before a run. */
export function isHint({ kind }: Pick<ChainWarning, 'kind'>): boolean {
  return kind === 'unused-output'
}

export interface CheckChainOptions {
  steps: readonly CheckedStep[]
  /** Names of the variables that the runner can see; without them variables are not checked. */
  variables?: Iterable<string>
  /** The run is given an input, so a chain that does not use it is worth a warning. */
  hasInput?: boolean
}

/** For each step the outputs of earlier steps that it takes, each once, in order of appearance. */
export function outputsTaken(steps: readonly CheckedStep[]): TakenOutput[][] {
  const makers = makersOf(steps)
  const references = readersOf(steps)
  return steps.map((step, index) =>
    references(step).output.flatMap((name) => {
      const from = makers.get(name)
      return from !== undefined && from < index ? [{ name, from }] : []
    }),
  )
}

/** For each step the names of the run's inputs and of earlier outputs that it reads, in texts, condition or list. */
export function outputsRead(steps: readonly CheckedStep[]): string[][] {
  const makers = makersOf(steps)
  const references = readersOf(steps)
  const isKnown = (name: string, index: number) =>
    CHAIN_INPUT_NAMES.includes(name) || (makers.get(name) ?? index) < index
  return steps.map((step, index) => references(step).output.filter((name) => isKnown(name, index)))
}

export function takesInput(steps: readonly CheckedStep[]): boolean {
  const references = readersOf(steps)
  return steps.some((step) => references(step).output.some((name) => CHAIN_INPUT_NAMES.includes(name)))
}

/** The variables that texts and conditions name, each once, in order of appearance. */
export function variablesTaken(steps: readonly CheckedStep[]): string[] {
  const references = readersOf(steps)
  return [...new Set(steps.flatMap((step) => references(step).variable))]
}

/** What will probably not do what was meant. None of it keeps a chain from running. */
export function checkChain({ steps, variables, hasInput = false }: CheckChainOptions): ChainWarning[] {
  const makers = makersOf(steps)
  const schemas = schemasOf(steps)
  const references = readersOf(steps)
  const needs = steps.map((step) => outputNeeds(references(step).output, makers))
  const taken = new Set(needs.flat())
  const known = variables && new Set(Array.from(variables, (name) => name.toLowerCase()))
  const warnings: ChainWarning[] = []
  steps.forEach((step, index) => {
    const warn = (kind: ChainWarningKind, name: string, message: string) =>
      warnings.push({ kind, step: index, name, message })
    const { output: outputs, variable, fields, told, unread, isItemUsed } = references(step)
    for (const name of outputs) {
      if (CHAIN_INPUT_NAMES.includes(name)) continue
      const maker = makers.get(name)
      if (maker === undefined) {
        warn('unknown-output', name, `No step produces {{${name}}}, so it stays as written.`)
      } else if (maker === index) {
        warn('self-reference', name, `It uses {{${name}}}, which it produces itself.`)
      } else if (maker > index && reaches({ needs, from: maker, to: index })) {
        const message = `It uses {{${name}}} from step ${maker + 1}, which in turn needs this step, so no order works for both.`
        warn('cycle', name, message)
      } else if (maker > index) {
        warn('later-output', name, `{{${name}}} is only produced later, by step ${maker + 1}.`)
      } else if (mayBeEmpty(steps[maker]) && !told.includes(name)) {
        const message = `{{${name}}} is empty where step ${maker + 1} is skipped. Give that step a default, or this one a condition.`
        warn('may-be-empty', name, message)
      }
    }
    for (const { name, path } of fields) {
      const isItem = isItemName(name, step.forEach)
      const schema = isItem && step.forEach ? schemaOfItem(step.forEach, schemas) : schemas.get(name)
      const message = describeUnknownField({ name, path, schema })
      if (message !== undefined) warn('unknown-field', name, `${message}.`)
    }
    for (const name of unread) {
      if (name === step.forEach?.list)
        warn('unknown-list', name, `It runs for each item of ${name}, which no earlier step produces.`)
      else warn('unknown-field', name, `Its condition looks at ${name}, which no earlier step produces.`)
    }
    for (const name of variable) {
      if (!known || known.has(name.toLowerCase())) continue
      if (name === step.forEach?.list) {
        const message = `It runs for each item of ${name}, which is neither an earlier output nor a variable.`
        warn('unknown-list', name, message)
        continue
      }
      const then = told.includes(name) ? 'its condition can’t be read' : 'it stays as written'
      warn('unknown-variable', name, `There is no variable $<${name}>, so ${then}.`)
    }
    if (step.ask && asksNobody(step.ask)) {
      const message = 'It asks nobody. Choose who may answer: until then the chain can’t be executed.'
      warnings.push({ kind: 'asks-nobody', step: index, name: null, message })
    }
    if (step.forEach && !isItemUsed) {
      const { as, list } = step.forEach
      warn('unused-item', as, `It runs for each item of ${list}, but nothing in it names {{${as}}}.`)
    }
    const output = step.outputVariableName
    const mayEnd = steps.slice(index + 1).every(mayBeSkipped)
    if (!mayEnd && KIND_OF_STEP[kindOf(step)].isForOutput && output !== '' && !taken.has(index)) {
      warn('unused-output', output, `No step uses its output {{${output}}}.`)
    }
  })
  if (hasInput && steps.length > 0 && !takesInput(steps)) {
    const message = 'No step uses the input. Put {{input}} or {{input_context}} where you want it.'
    warnings.push({ kind: 'unused-input', step: null, name: null, message })
  }
  return warnings
}

const mayBeSkipped = ({ onlyIf, ifItFails }: CheckedStep): boolean => onlyIf != null || ifItFails === 'go_on'

/** It may be skipped, and then says nothing instead. A condition that asks for its output knows that. */
function mayBeEmpty(step: CheckedStep | undefined): boolean {
  return step !== undefined && mayBeSkipped(step) && step.default == null
}

function makersOf(steps: readonly CheckedStep[]): Map<string, number> {
  const makers = new Map<string, number>()
  steps.forEach(({ outputVariableName }, index) => {
    if (outputVariableName !== '' && !makers.has(outputVariableName)) makers.set(outputVariableName, index)
  })
  return makers
}

function outputNeeds(names: readonly string[], makers: ReadonlyMap<string, number>): number[] {
  return names.flatMap((name) => {
    const maker = CHAIN_INPUT_NAMES.includes(name) ? undefined : makers.get(name)
    return maker === undefined ? [] : [maker]
  })
}

function reaches({ needs, from, to }: { needs: readonly number[][]; from: number; to: number }): boolean {
  const seen = new Set<number>()
  const open = [from]
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    if (step === to) return true
    if (seen.has(step)) continue
    seen.add(step)
    open.push(...(needs[step] ?? []))
  }
  return false
}

function schemasOf(steps: readonly CheckedStep[]): ReadonlyMap<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>()
  for (const step of steps) {
    const schema = schemaOfOutput(step)
    if (step.outputVariableName !== '' && schema) schemas.set(step.outputVariableName, schema)
  }
  return schemas
}

interface References {
  from: readonly unknown[]
  variable: readonly string[]
  output: readonly string[]
  fields: readonly { name: string; path: readonly PathStep[] }[]
  /** What its condition looks at and the list of its items, so that it knows of an empty one. */
  told: readonly string[]
  /** Names of these that are no reference: a field of what is not JSON. */
  unread: readonly string[]
  isItemUsed: boolean
}

/** A step's text may be a megabyte long and is examined again and again. */
const read = new WeakMap<CheckedStep, References>()

function readersOf(steps: readonly CheckedStep[]): (step: CheckedStep) => References {
  const jsonOutputs = schemasOf(steps)
  const makers = makersOf(steps)
  const isOutput = (name: string) => makers.has(name) || CHAIN_INPUT_NAMES.includes(name)
  const names = [...jsonOutputs.keys(), '', ...makers.keys()].join(' ')
  return (step) => {
    const { content, systemPrompt, messages, onlyIf, forEach } = step
    const own = OWN_FIELDS.map(({ field }) => step[field])
    const from = [content, systemPrompt, messages, onlyIf, forEach, ...own, names]
    const before = read.get(step)
    if (before?.from.every((one, index) => one === from[index])) return before
    const isItem = (name: string) => isItemName(name, forEach)
    const asked = onlyIf ? namesInCondition(onlyIf) : []
    const sources = new Map(
      asked.map((name) => [name, referenceOf(name, (each) => isItem(each) || isOutput(each))]),
    )
    if (forEach) sources.set(forEach.list, referenceOf(forEach.list, isOutput))
    const turns = (messages ?? []).map((turn) => turn.content)
    const texts = [systemPrompt ?? '', ...turns, content, ...ownTextsOf(step)]
    const syntax = {
      outputs: true,
      jsonOutputs: {
        has: (name: string) => isItem(name) || name === CHAIN_INPUT.lastMessage || jsonOutputs.has(name),
      },
    }
    const tokensOf = (text: string) => tokenizeTemplate(text, syntax).filter(({ kind }) => kind !== 'text')
    const told = [...sources.values()].flatMap(tokensOf)
    const found = { variable: new Set<string>(), output: new Set<string>() }
    const fields = new Map<string, References['fields'][number]>()
    let isItemUsed = false
    for (const token of [...told, ...texts.flatMap(tokensOf)]) {
      if (token.kind === 'text') continue
      if (token.kind === 'output' && token.name === forEach?.as) isItemUsed = true
      if (token.kind === 'variable' || !isItem(token.name)) found[token.kind].add(token.name)
      if (token.path) fields.set(token.raw, { name: token.name, path: token.path })
    }
    const { variable, output } = found
    const references = {
      from,
      variable: [...variable],
      output: [...output],
      fields: [...fields.values()],
      told: told.flatMap((token) => (token.kind === 'text' ? [] : [token.name])),
      unread: [...sources].flatMap(([name, source]) => (tokensOf(source).length === 0 ? [name] : [])),
      isItemUsed,
    }
    read.set(step, references)
    return references
  }
}
