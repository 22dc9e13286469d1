import type { Chain, McpTokenSees, OwnToken, TokenType } from '@catenary/contracts'
import { useQuery } from '@tanstack/react-query'
import {
  BookOpenIcon,
  FolderGit2Icon,
  LinkIcon,
  MessageSquareTextIcon,
  SquareSlashIcon,
  WrenchIcon,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { errorMessage } from '../../../lib/errors.ts'
import { cn } from '../../../lib/utils.ts'
import { modelsOf } from '../chain/models-of.ts'
import { ANY_MODEL } from '../curl-command.ts'
import { nameOf } from '../token-texts.ts'
import { tokenQuery } from '../tokens.queries.ts'
import { seesQuery } from './connect.queries.ts'

const SHOWN_FIRST = 8

const COLUMNS: Record<TokenType, string> = {
  mcp: 'md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1fr)]',
  best: 'md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]',
  read: '',
  chain: '',
  folder: '',
  scoped: '',
  hook: '',
}

export interface WhatItSeesProps {
  token: OwnToken
  chain: Chain | null
  onPrompt: (id: number) => void
}

export function WhatItSees(props: WhatItSeesProps) {
  const { token } = props
  return (
    <section aria-labelledby="what-it-sees" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2 px-4">
      <div className="flex min-w-0 items-baseline justify-between gap-3">
        <h3 id="what-it-sees" className="shrink-0 text-sm font-semibold tracking-normal text-text-2">
          What the client sees
        </h3>
        <p className="min-w-0 truncate text-sm text-text-3">with {nameOf(token)}</p>
      </div>
      <div
        className={cn(
          'grid min-w-0 grid-cols-[minmax(0,1fr)] divide-line rounded-control border border-line max-md:divide-y md:divide-x',
          COLUMNS[token.tokenType],
        )}
      >
        {token.tokenType === 'mcp' && <SeenByAgent token={token} />}
        {token.tokenType === 'read' && <SeenByReader {...props} />}
        {token.tokenType === 'chain' && <SeenAsModel {...props} />}
        {token.tokenType === 'best' && <SeenAsAnyModel token={token} />}
        {token.tokenType === 'folder' && <SeenAsFolder token={token} />}
        {(token.tokenType === 'scoped' || token.tokenType === 'hook') && <SeenByScopes token={token} />}
      </div>
    </section>
  )
}

function SeenByScopes({ token }: { token: OwnToken }) {
  const { data, error, refetch } = useQuery(tokenQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} />
  return <p className="p-3 font-mono text-xs text-text-2 wrap-anywhere">{data.scopes.join(' ')}</p>
}

function SeenByAgent({ token }: { token: OwnToken }) {
  const { data, error, refetch } = useQuery(seesQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} className="max-md:h-[285px]" />
  return (
    <>
      <Seen icon={<SquareSlashIcon />} what="prompt" as="as slash commands" seen={data.prompts} prefix="/" />
      <Seen icon={<WrenchIcon />} what="chain" as="as tools" seen={data.chains} />
      <Seen icon={<BookOpenIcon />} what="skill" as="as SKILL.md folders" seen={data.skills} />
    </>
  )
}

function SeenByReader({ token, onPrompt }: WhatItSeesProps) {
  const { data, error, refetch } = useQuery(tokenQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} />
  const { namedPrompts: prompts, scopes } = data
  const seen = { count: prompts.length, names: prompts.map(({ id, title }) => ({ id, name: title, title })) }
  return (
    <Seen
      icon={<MessageSquareTextIcon />}
      what="prompt"
      as={scopes.includes('run') ? 'by name, to fetch and to run' : 'by name, to fetch'}
      seen={seen}
      isProse
      onName={onPrompt}
    />
  )
}

function SeenAsModel({ token, chain }: WhatItSeesProps) {
  const { data, error, refetch } = useQuery(tokenQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} />
  const label = data.chainLabel
  const models = chain
    ? modelsOf({ ...chain, labels: label === null ? chain.labels : [] })
    : [`chain-${token.chainId}`]
  return (
    <Seen
      icon={<LinkIcon />}
      what="model"
      as={label === null ? 'by any of these names' : `by any of these names, at ${label}`}
      seen={{
        count: models.length,
        names: models.map((name, id) => ({ id, name, title: chain?.name ?? name })),
      }}
    />
  )
}

function SeenAsAnyModel({ token }: { token: OwnToken }) {
  const { data, error, refetch } = useQuery(tokenQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} />
  const { scopes, namedChains } = data
  return (
    <>
      <Seen
        icon={<LinkIcon />}
        what="model"
        as="by any model name"
        seen={{ count: 1, names: [{ id: 0, name: ANY_MODEL, title: 'Any model name' }] }}
      />
      {scopes.includes('chains') ? (
        <div className="grid content-start gap-1 px-3.5 py-3 text-sm">
          <p className="font-medium">All your chains</p>
          <p className="text-text-2">
            and those of others that you accepted.{' '}
            <Link href="/chains" className="text-accent-text underline-offset-3 hover:underline">
              What it chose
            </Link>
          </p>
        </div>
      ) : (
        <Seen
          icon={<WrenchIcon />}
          what="chain"
          as="to choose from"
          seen={{
            count: namedChains.length,
            names: namedChains.map(({ id, name }) => ({ id, name, title: name })),
          }}
          isProse
        />
      )}
    </>
  )
}

function SeenAsFolder({ token }: { token: OwnToken }) {
  const { data, error, refetch } = useQuery(tokenQuery(token.id))
  if (!data) return <Unseen error={error} onRetry={() => void refetch()} />
  const { scopes } = data
  return (
    <div className="grid content-start gap-1 px-3.5 py-3 text-sm">
      <p className="flex items-center gap-2 font-medium [&_svg]:size-4 [&_svg]:text-accent-text">
        <FolderGit2Icon />
        All your prompts, chains and suites
      </p>
      <p className="text-text-2">
        It can read them
        {scopes.includes('folder.write') ? ', make new versions of them as you' : ' but not change them'}
        {scopes.includes('evaluate')
          ? ', and start evaluations at your cost.'
          : ', and can’t start evaluations.'}
      </p>
    </div>
  )
}

interface SeenProps {
  icon: ReactNode
  what: string
  as: string
  seen: McpTokenSees['prompts']
  prefix?: string
  isProse?: boolean
  onName?: (id: number) => void
}

function Seen({ icon, what, as, seen: { count, names }, prefix, isProse = false, onName }: SeenProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? names : names.slice(0, SHOWN_FIRST)
  const rest = names.length - shown.length
  const unlisted = count - names.length
  return (
    <div className="@container grid min-w-0 content-start gap-2 px-3.5 py-3">
      <p className="flex min-w-0 items-center gap-2 text-sm [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-accent-text">
        {icon}
        <span className="shrink-0 font-semibold">
          {count.toLocaleString('en')} {count === 1 ? what : `${what}s`}
        </span>
        <span className="min-w-0 truncate text-text-3">{as}</span>
      </p>
      {shown.length > 0 && (
        <ul
          className={cn(
            'grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-1 @2xs:grid-cols-2',
            isProse ? 'text-sm' : 'font-mono text-xs',
          )}
        >
          {shown.map(({ id, name, title }) => (
            <li key={id} title={title} className="min-w-0 truncate">
              {prefix && <span className="text-text-3">{prefix}</span>}
              {onName ? (
                <button
                  dir="auto"
                  type="button"
                  onClick={() => onName(id)}
                  className="min-h-6 max-w-full truncate rounded-tag underline-offset-3 hover:underline pointer-coarse:min-h-11"
                >
                  {name}
                </button>
              ) : (
                name
              )}
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <Button variant="link" size="sm" className="justify-self-start" onClick={() => setShowsAll(true)}>
          Show {rest} more
        </Button>
      )}
      {showsAll && unlisted > 0 && (
        <p className="text-xs text-text-3">And {unlisted.toLocaleString('en')} more.</p>
      )}
    </div>
  )
}

interface UnseenProps {
  error: unknown
  onRetry: () => void
  /** Of what holds the place of several parts. */
  className?: string
}

function Unseen({ error, onRetry, className }: UnseenProps) {
  if (!error) return <Skeleton className={cn('m-3 h-14', className)} />
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 px-3.5 py-3 text-sm">
      <p className="text-danger wrap-anywhere">This could not be loaded: {errorMessage(error)}</p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
