import { ASK_TEXT_MAX, type StepAsk } from '../asks/step-ask.ts'
import { TOOL_BODY_MAX } from '../tools/http-tool.ts'
import { actsOfTool, answerOfTool, type StepTool, toolTextsOf, withToolTexts } from '../tools/step-tool.ts'
import { endOf, STOP_TEXT_MAX, type StopRun } from './stop-run.ts'

/** What a step does. `prompt` is the document's: it asks a model. */
export const STEP_KINDS = ['prompt', 'tool', 'ask', 'stop'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** The fields of which each is one kind's own. */
export interface OwnFields {
  ask?: StepAsk | null | undefined
  stop?: readonly string[] | StopRun | null | undefined
  tool?: StepTool | null | undefined
}

type ChangedFields = {
  [Field in keyof OwnFields]?: Exclude<NonNullable<OwnFields[Field]>, readonly string[]>
}

interface OwnField {
  field: keyof OwnFields
  isIn: (step: OwnFields) => boolean
  /** What a step of the kind lacks without it. */
  lacks: string
  /** Why a step of another kind can’t have it. */
  others: string
  /** Its templates. */
  texts: (step: OwnFields) => string[]
  textMax: number
  withTexts: (step: OwnFields, change: (text: string) => string) => ChangedFields
}

interface KindOfStep {
  /** What it does, as the API says it. */
  does: string
  /** What a preview of it shows, as the API says it. */
  shows: string
  /** Absent of the one that asks a model. */
  own?: OwnField
  /** Of one that takes values to others than models: what it does there, and where they would go. */
  acts?: (step: OwnFields) => { does: string; goTo: string }
  /** Its output is somebody else’s text. */
  isOutside?: true
  /** Later steps take its output. */
  hasOutput: boolean
  /** Its output is JSON. */
  givesJson: (step: Pick<OwnFields, 'tool'>) => boolean
  /** It may run for each item of a list. */
  mayLoop: boolean
  /** It does nothing else, so one whose output nobody uses is worth a warning: what people decide counts in any case. */
  isForOutput: boolean
}

const ASK: OwnField = {
  field: 'ask',
  isIn: ({ ask }) => ask != null,
  lacks: 'Say what the step asks of whom',
  others: 'Only a step of kind ask asks people',
  texts: ({ ask }) => (ask ? [ask.text] : []),
  textMax: ASK_TEXT_MAX,
  withTexts: ({ ask }, change) => (ask ? { ask: { ...ask, text: change(ask.text) } } : {}),
}

const STOP: OwnField = {
  field: 'stop',
  isIn: ({ stop }) => endOf(stop) !== undefined,
  lacks: 'Say how the step ends the run',
  others: 'Only a step of kind stop ends the run',
  texts: ({ stop }) => {
    const ends = endOf(stop)
    return ends ? [ends.text] : []
  },
  textMax: STOP_TEXT_MAX,
  withTexts: ({ stop }, change) => {
    const ends = endOf(stop)
    return ends ? { stop: { ...ends, text: change(ends.text) } } : {}
  },
}

const TOOL: OwnField = {
  field: 'tool',
  isIn: ({ tool }) => tool != null,
  lacks: 'Say what the step calls',
  others: 'Only a step of kind tool calls a service',
  texts: ({ tool }) => (tool ? toolTextsOf(tool) : []),
  textMax: TOOL_BODY_MAX,
  withTexts: ({ tool }, change) => (tool ? { tool: withToolTexts(tool, change) } : {}),
}

const never = () => false

/** A further kind of step is an entry here, one where it runs, and on the web one each for how it is shown and filled in. */
export const KIND_OF_STEP: Readonly<Record<StepKind, KindOfStep>> = {
  prompt: {
    does: 'ask a model',
    shows: 'the text goes to a model',
    hasOutput: true,
    givesJson: never,
    mayLoop: true,
    isForOutput: true,
  },
  tool: {
    does: 'call a service or send an email',
    shows: 'the call or email goes out',
    own: TOOL,
    isOutside: true,
    acts: ({ tool }) => (tool ? actsOfTool(tool) : { does: 'acts', goTo: 'elsewhere' }),
    hasOutput: true,
    givesJson: ({ tool }) => tool != null && answerOfTool(tool).as === 'json',
    mayLoop: true,
    isForOutput: false,
  },
  ask: {
    does: 'ask people, and wait for an answer',
    shows: 'people would see it',
    own: ASK,
    acts: () => ({ does: 'asks people', goTo: 'to the people that this step asks' }),
    hasOutput: true,
    givesJson: () => true,
    mayLoop: false,
    isForOutput: false,
  },
  stop: {
    does: 'end the run',
    shows: 'the run would end with it',
    own: STOP,
    hasOutput: false,
    givesJson: never,
    mayLoop: false,
    isForOutput: false,
  },
}

/** ‘prompt: ask a model; ask: …’ */
export function sayOfKinds(what: 'does' | 'shows'): string {
  return STEP_KINDS.map((kind) => `${kind}: ${KIND_OF_STEP[kind][what]}`).join('; ')
}

/** The fields of which each is one kind’s own, with their kinds. */
export const OWN_FIELDS = STEP_KINDS.flatMap((kind) => {
  const { own } = KIND_OF_STEP[kind]
  return own ? [{ kind, ...own }] : []
})

/** The templates of a step’s own field; none of one that asks a model. */
export function ownTextsOf(step: OwnFields): string[] {
  return OWN_FIELDS.flatMap(({ texts }) => texts(step))
}

/** What of a step’s own field is another where its templates are changed so. */
export function withOwnTexts(step: OwnFields, change: (text: string) => string): ChangedFields {
  return Object.assign({}, ...OWN_FIELDS.map(({ withTexts }) => withTexts(step, change)))
}

/** The kind by its own field, where none is said. */
export function kindOf({ kind, ...fields }: OwnFields & { kind?: StepKind | undefined }): StepKind {
  return kind ?? OWN_FIELDS.find(({ isIn }) => isIn(fields))?.kind ?? 'prompt'
}
