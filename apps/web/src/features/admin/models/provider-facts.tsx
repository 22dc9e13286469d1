import type { ModelProvider } from '@catenary/contracts'
import { GlobeIcon, KeyRoundIcon, LockIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Time } from '../../../components/time/time.tsx'

/** Where the vendors themselves answer: worth no word. */
const VENDOR_HOSTS = ['.anthropic.com', '.openai.com', '.googleapis.com']

export function ProviderFacts({ provider }: { provider: ModelProvider }) {
  const { keyEnd, newKeyEnd, baseUrl, isFromEnvironment, kind } = provider
  return (
    <>
      {keyEnd !== null && (
        <Chip icon={<LockIcon />}>
          <span className="sr-only">key ending in </span>
          {maskedEnd(keyEnd)}
        </Chip>
      )}
      {newKeyEnd !== null && (
        <Chip icon={<KeyRoundIcon />}>
          <span className="font-sans text-text-3">waiting </span>
          {maskedEnd(newKeyEnd)}
        </Chip>
      )}
      {baseUrl !== null && (kind === 'compatible' || !(isFromEnvironment || isUsual(baseUrl))) && (
        <Chip icon={<GlobeIcon />}>{baseUrl}</Chip>
      )}
      <p className="min-w-0 text-sm text-text-2 wrap-anywhere">
        {isFromEnvironment ? <EnvironmentOrigin provider={provider} /> : <OwnOrigin provider={provider} />}
      </p>
    </>
  )
}

const isUsual = (address: string) =>
  VENDOR_HOSTS.some((host) => URL.parse(address)?.hostname.endsWith(host) === true)

function Chip({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex min-h-6 min-w-0 items-center gap-1.5 rounded-tag border border-line bg-surface px-2 font-mono text-xs wrap-anywhere [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-text-3">
      {icon}
      <span className="min-w-0">{children}</span>
    </span>
  )
}

/** `•••• 9Kd4`; of a short key no character is known. */
export const maskedEnd = (end: string): string => (end.startsWith('•') ? end : `•••• ${end}`)

function EnvironmentOrigin({ provider: { keyEnd, keySetting, kind } }: { provider: ModelProvider }) {
  if (keyEnd === null && kind !== 'compatible') {
    return (
      <>
        No key. Set <code>{keySetting}</code> where Catenary runs, or add one here.
      </>
    )
  }
  return <>from the environment{keyEnd === null ? ', no key' : <>, {<code>{keySetting}</code>}</>}</>
}

function OwnOrigin({ provider }: { provider: ModelProvider }) {
  const { keyEnd, allowsPrivateAddress, addedBy, addedAt } = provider
  if (allowsPrivateAddress) {
    const who = addedBy === null ? 'that an admin allowed' : `that ${addedBy} allowed`
    return <>{`${keyEnd === null ? 'no key, ' : ''}a private address ${who}`}</>
  }
  return (
    <>
      {keyEnd === null && 'no key, '}added here{addedBy !== null && ` by ${addedBy}`}
      {addedAt !== null && (
        <>
          , <Time time={addedAt} as="day" />
        </>
      )}
    </>
  )
}
