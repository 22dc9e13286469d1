import { PROMPT_CONTENT_MAX, SYSTEM_PROMPT_MAX, TURNS_LENGTH_MAX, type Turn } from '@catenary/contracts'
import { renameVariable } from '@catenary/domain'
import { AppError } from '../../errors.ts'

interface Templates {
  content: string
  systemPrompt: string | null
  messages: Turn[]
}

/** Renames a variable in the texts of a prompt or step; null where none refers to it. Throws `invalid`, with that name, for one that becomes too long. */
export function renameInTemplates(
  templates: Templates,
  { from, to, of }: { from: string; to: string; of: string },
): Templates | null {
  const rename = (source: string) => renameVariable({ source, from, to })
  const renamed = {
    content: rename(templates.content),
    systemPrompt: templates.systemPrompt === null ? null : rename(templates.systemPrompt),
    messages: templates.messages.map(({ role, content }) => ({ role, content: rename(content) })),
  }
  const isChanged =
    renamed.content !== templates.content ||
    renamed.systemPrompt !== templates.systemPrompt ||
    renamed.messages.some(({ content }, index) => content !== templates.messages[index]?.content)
  if (!isChanged) return null
  const turnsLength = renamed.messages.reduce((sum, { content }) => sum + content.length, 0)
  const refuse = (what: string) => {
    throw new AppError('invalid', `With the longer name, ${what} would be too long`)
  }
  if (renamed.content.length > PROMPT_CONTENT_MAX) refuse(of)
  if ((renamed.systemPrompt ?? '').length > SYSTEM_PROMPT_MAX) refuse(`the system prompt of ${of}`)
  if (turnsLength > TURNS_LENGTH_MAX) refuse(`the turns of ${of}`)
  return renamed
}
