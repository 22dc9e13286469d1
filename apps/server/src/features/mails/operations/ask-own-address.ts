import type { User } from '@catenary/contracts'
import { AppError } from '../../../errors.ts'
import { REASONS, tooManyQuestions } from '../mail-messages.ts'
import { confirmUnasked, forgetUnasked, listUnasked, saveConsent } from '../mail-questions.repository.ts'
import type { MailsDeps } from '../mails-deps.ts'
import { askAddresses, sendQuestion } from './queue-mail.ts'
import { describeAddresses } from './read-addresses.ts'

const UPGRADE_SLICE = 100

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

/** After an upgrade: accounts from before addresses were confirmed count as confirmed, or are asked once. */
export async function settleUnasked(deps: MailsDeps): Promise<void> {
  const { db, mail, registration } = deps
  if (registration === 'closed') return confirmUnasked(db)
  let slice = mail.isSetUp ? await listUnasked(db, { after: 0, limit: UPGRADE_SLICE }) : []
  while (slice.length > 0) {
    for (const account of slice) {
      await db.transaction((tx) => askAddresses(deps, tx, { account, addresses: [account.email] }))
    }
    slice = await listUnasked(db, { after: slice.at(-1)?.id ?? 0, limit: UPGRADE_SLICE })
  }
  await forgetUnasked(db)
}
