import { PROMPT_SETTINGS, type PromptSettings, STEP_SETTINGS, type StepSettings } from '@catenary/contracts'
import { checkSchema, type JsonSchema } from '@catenary/domain'
import { AppError } from '../../errors.ts'

const isSet = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

function settingsNamed<Settings extends object>(names: readonly (keyof Settings & string)[]) {
  /** Those that are set, in the order of the names, so that equal settings are equal as JSON; null where none is. */
  const pick = (values: { [Name in keyof Settings]?: unknown }): Settings | null => {
    const set = names.map((name) => [name, values[name]] as const).filter(([, value]) => isSet(value))
    return set.length === 0 ? null : (Object.fromEntries(set) as Settings)
  }
  const isSetting = (name: string) => names.some((setting) => setting === name)
  const split = <Fields extends object>(fields: Fields, stored: Settings | null = null) => {
    const entries = Object.entries(fields)
    const changes = Object.fromEntries(
      entries.filter(([name, value]) => isSetting(name) && value !== undefined),
    )
    if (changes.output?.type === 'text') changes.output = null
    // The defaults say nothing: a step from before they were there is the same.
    if (changes.kind === 'prompt') changes.kind = null
    if (changes.ifItFails === 'stop') changes.ifItFails = null
    if (changes.output?.type === 'json') requireSchema(changes.output.schema)
    const columns = Object.fromEntries(entries.filter(([name]) => !isSetting(name)))
    return {
      columns: columns as Omit<Fields, keyof Settings>,
      settings: pick({ ...stored, ...changes }),
    }
  }
  return { pick, split }
}

/** Throws `invalid` at the field for a schema that not every vendor takes. */
function requireSchema(schema: JsonSchema): void {
  const [problem, ...others] = checkSchema(schema).problems
  if (problem === undefined) return
  const all = [problem, ...others].map(({ path, message }) => ({
    path: 'output.schema',
    message: path === '' ? message : `${path}: ${message}`,
  }))
  throw new AppError('invalid', all[0]?.message ?? problem.message, { details: all })
}

const ofPrompt = settingsNamed<PromptSettings>(PROMPT_SETTINGS)
const ofStep = settingsNamed<StepSettings>(STEP_SETTINGS)

export const promptSettingsOf = ofPrompt.pick
/** The other fields of a prompt, and its settings as they are after the change: null takes one away, absent leaves it. */
export const splitPromptSettings = ofPrompt.split
export const stepSettingsOf = ofStep.pick
export const splitStepSettings = ofStep.split

export function withSettings<Settings extends object, Row extends object>({
  settings,
  ...row
}: Row & { settings: Settings | null }): Omit<Row, 'settings'> & Settings {
  return { ...row, ...settings } as Omit<Row, 'settings'> & Settings
}

/** A step with its settings as fields, of those that a chain's version keeps: there they are a text, or absent. */
export function withKeptSettings<Step extends object>({
  settings,
  ...step
}: Step & { settings?: string }): Omit<Step, 'settings'> & StepSettings {
  const kept = settings === undefined ? null : (JSON.parse(settings) as StepSettings)
  return { ...step, ...kept }
}
