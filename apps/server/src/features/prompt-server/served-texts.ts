import type { PromptSettings, User } from '@catenary/contracts'
import { extractVariables, renderTemplate, TemplateTooLongError } from '@catenary/domain'
import type { Consent } from '../../consent.ts'
import { AppError } from '../../errors.ts'
import type { VariablesService } from '../variables/variables.ts'

/** In UTF-16 units, as of what a model is sent. */
const TEXT_MAX = 8_000_000

interface Filling {
  user: User
  /** Fill in what the library has for them. */
  resolve: boolean
  /** For the texts. */
  consent: Consent
  signal: AbortSignal
}

/** The texts of a version, as programs are given them. */
export function createServedTexts(variables: Pick<VariablesService, 'resolve'>) {
  /** Each reference as its value, or as `{{name}}` for the program to fill in; in one pass. */
  async function toServedText({
    content,
    user,
    resolve,
    consent,
    signal,
  }: {
    content: string
  } & Filling): Promise<string> {
    const names = extractVariables(content)
    const stored = await variables.resolve({ names: resolve ? names : [], user, consent, signal })
    const values = new Map(names.map((name) => [name, stored.get(name)?.value ?? `{{${name}}}`]))
    try {
      return renderTemplate({ source: content, variables: values, maxLength: TEXT_MAX }).text
    } catch (error) {
      if (error instanceof TemplateTooLongError) throw new AppError('too_large', error.message)
      throw error
    }
  }

  /** Its settings, with system prompt and turns as the text is. */
  async function toServedConfig({ settings, ...filling }: { settings: PromptSettings | null } & Filling) {
    const { systemPrompt, messages, ...config } = settings ?? {}
    const fill = (content: string) => toServedText({ content, ...filling })
    const turns = messages ?? []
    const filled = await Promise.all(turns.map(({ content }) => fill(content)))
    return {
      ...config,
      ...(systemPrompt && { systemPrompt: await fill(systemPrompt) }),
      ...(messages && { messages: turns.map(({ role }, index) => ({ role, content: filled[index] ?? '' })) }),
    }
  }

  return { toServedText, toServedConfig }
}
