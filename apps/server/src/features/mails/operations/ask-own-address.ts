import type { User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { REASONS, tooManyQuestions } from '../mail-messages.ts'
import { saveConsent } from '../mail-questions.repository.ts'
import type { MailsDeps } from '../mails-deps.ts'
import { sendQuestion } from './queue-mail.ts'
import { describeAddresses } from './read-addresses.ts'

/** Asks an account's own address once more. Throws `conflict` where there is nothing to ask, and `too_many`. */
export function askOwnAddressAgain(deps: MailsDeps, account: User): Promise<void> {
  const { id, email } = account
  return deps.db.transaction(async (tx) => {
    const state = (await describeAddresses(deps, tx, [account])).get(id)
    if (state === 'refused') throw new AppError('conflict', REASONS.refused)
    if (state !== 'waiting') throw new AppError('conflict', 'This address needs no confirmation')
    if (!(await sendQuestion(deps, tx, { account, address: email }))) throw tooManyQuestions()
    await saveConsent(tx, { userId: id, address: email.toLowerCase(), state: 'asked' })
  })
}
