import { allowsValue, type Turn } from '@catenary/contracts'
import { extractVariables } from '@catenary/domain'
import { AppError } from '../../../errors.ts'
import type { Context } from '../../../platform/context.ts'
import type { Consent } from '../../records/records.ts'
import { describeNames, resolveVariables } from '../../variables/variables.ts'
import { renderWithin } from '../prompt-server/prompt-server.ts'
import { CHOICES_MAX, TITLE_MAX } from './describe-prompts.ts'
import type { McpCall } from './mcp-call.ts'
import { toLine } from './quote-text.ts'

/** In UTF-16 units, of all texts together. */
const TEXT_MAX = 2_000_000

interface Filling extends Pick<McpCall, 'grant' | 'signal'> {
  turns: Turn[]
  consent: Consent
  given: Record<string, string>
}

/** The texts with what is given, and else with what the library has. Throws `invalid` where something is missing, as nobody is there to ask. */
export async function fillPrompt(ctx: Context, filling: Filling): Promise<Turn[]> {
  return render(filling.turns, await findValues(ctx, filling))
}

async function findValues(ctx: Context, { grant: { user }, signal, turns, given, consent }: Filling) {
  const names = [...new Set(turns.flatMap(({ content }) => extractVariables(content)))]
  const values = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))
  const known = await describeNames(ctx, { names, user, consent })
  requireKnown({ names, values })
  for (const name of names) {
    const value = values.get(name.toLowerCase())
    const { allowedValues = [] } = known.get(name) ?? {}
    if (value !== undefined && !allowsValue(allowedValues, value)) {
      throw new AppError('invalid', `${name}: choose one of ${toLine(allowedValues.join(', '), CHOICES_MAX)}`)
    }
  }
  const asked = names.filter((name) => !values.has(name.toLowerCase()))
  const stored = await resolveVariables(ctx, { names: asked, user, consent, signal })
  const filled = new Map<string, string>()
  for (const name of names) {
    const value = values.get(name.toLowerCase()) ?? stored.get(name)?.value
    const { hasValue = false } = known.get(name) ?? {}
    const isGiven = values.has(name.toLowerCase())
    if (value !== undefined && value !== null && (isGiven || hasValue)) filled.set(name, value)
  }
  const missing = names.filter((name) => !filled.has(name))
  if (missing.length > 0)
    throw new AppError('invalid', `Give a value for: ${missing.slice(0, 20).join(', ')}`)
  return filled
}

function requireKnown({ names, values }: { names: string[]; values: Map<string, string> }): void {
  const known = new Set(names.map((name) => name.toLowerCase()))
  const unknown = [...values.keys()].filter((name) => !known.has(name)).map((name) => toLine(name, TITLE_MAX))
  if (unknown.length > 0) {
    throw new AppError('invalid', `The prompt has no argument ${unknown.slice(0, 5).join(', ')}`)
  }
}

function render(turns: Turn[], values: Map<string, string>): Turn[] {
  let room = TEXT_MAX
  return turns.map(({ role, content }) => {
    const text = renderWithin({ source: content, variables: values, maxLength: room })
    room -= text.length
    return { role, content: text }
  })
}
