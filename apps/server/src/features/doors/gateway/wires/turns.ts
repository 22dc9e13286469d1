import type { RunMessage } from '../../../runs/runs.ts'
import { isClientAddition } from '../client-additions.ts'
import { GatewayError } from '../gateway-error.ts'
import type { SentAttachment } from './read-request.ts'
import type { ChainRequest, SentMessages } from './wire.ts'

export interface SentTurn {
  role: RunMessage['role']
  parts: string[]
  attached?: SentAttachment[]
}

/** What is asked, and beside it all that was sent, where the client added to it (D65). */
export function toMessages(turns: SentTurn[]): SentMessages {
  const attached = turns.flatMap((turn) => turn.attached ?? [])
  return { ...textsOf(turns), ...(attached.length > 0 && { attached }) }
}

function textsOf(turns: SentTurn[]): Pick<ChainRequest, 'messages' | 'transcript'> {
  const transcript = turns.map(({ role, parts }) => ({ role, content: parts.join('\n') }))
  const messages = turns.flatMap(({ role, parts }) => {
    const own = parts.filter((part) => !isClientAddition(part))
    return own.length === 0 && parts.length > 0 ? [] : [{ role, content: own.join('\n') }]
  })
  const isWhole = messages.every(({ content }, index) => content === transcript[index]?.content)
  return isWhole && messages.length === transcript.length ? { messages } : { messages, transcript }
}

export function requireMessages<Asked extends Pick<ChainRequest, 'messages'>>(
  asked: Asked,
  param: string,
): Asked {
  if (asked.messages.every(({ role }) => role !== 'user')) {
    throw new GatewayError('invalid', `${param}: at least one user message is required`, { param })
  }
  return asked
}
