import { LearnMore } from '../../components/learn-more.tsx'
import { ByName } from '../accounts/by-name.tsx'

export function MailUnset() {
  return (
    <>
      Mail is not set up on this server, so the schedule runs but can’t email its results.{' '}
      <ByName text="Ask an administrator to set" own="Set" /> <code>SMTP_URL</code>.{' '}
      <LearnMore about="mail" />
    </>
  )
}
