import { addressOf } from '@catenary/contracts'
import * as z from 'zod'
import { AppError } from '../../errors.ts'
import type { Context } from '../../platform/context.ts'
import { SecretBoxError } from '../../platform/secrets/secret-box.ts'

const ANSWER_CONTEXT = 'mail-answer'
const answerToken = z.tuple([z.int(), z.string()]).rest(z.int())
/** The id of the account, the address in lower case, and the id of the question if it is about one. */
type Answer = [userId: number, address: string, ...questionId: number[]]

export interface LinkSubject {
  username: string
  address: string
  isOwn: boolean
}

const PAGES = {
  confirm: 'GET /api/mail/confirm/{token}',
  unsubscribe: 'GET /api/mail/unsubscribe/{token}',
} as const

export function answerUrl(
  { secrets, settings }: Context,
  { kind, answer }: { kind: 'unsubscribe' | 'confirm'; answer: Answer },
): string {
  const token = secrets.seal({ text: JSON.stringify(answer), context: ANSWER_CONTEXT })
  return `${settings.publicUrl}${addressOf(PAGES[kind], { params: { token } })}`
}

export function readAnswer({ secrets }: Context, sealed: string): Answer {
  try {
    return answerToken.parse(JSON.parse(secrets.open({ sealed, context: ANSWER_CONTEXT })))
  } catch (error) {
    if (error instanceof SecretBoxError) throw deadLink()
    throw error
  }
}

export function deadLink(): AppError {
  return new AppError('not_found', 'This link no longer works')
}
