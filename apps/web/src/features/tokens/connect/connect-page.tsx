import type { Chain, OwnToken, Prompt, TokenType } from '@catenary/contracts'
import type { ConnectClientName } from '@catenary/domain'
import { ArrowLeftIcon, ScrollTextIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CreateButton } from '../../../components/create-button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { apiPath } from '../../../lib/api.ts'
import { useMediaQuery } from '../../../lib/appearance/media-query.ts'
import { useDocumentTitle } from '../../../lib/document-title.ts'
import type { NewTokenValue } from '../curl-command.ts'
import { nameOf } from '../token-texts.ts'
import { useTokenDialogs } from '../use-token-dialogs.tsx'
import { ChosenToken, type ChosenTokenProps } from './chosen-token.tsx'
import { summaryOf } from './connect-texts.ts'
import { NewConnection } from './new-connection.tsx'
import { TokenList } from './token-list.tsx'
import { ItemMenu } from './token-list-item.tsx'
import type { ConnectChoice } from './use-connect-choice.ts'

const ONE_COLUMN = '(max-width: 1023px)'

export interface ConnectPageProps {
  choice: ConnectChoice
  chain: Chain | null
  prompt: Prompt | null
  viewer: string
  outgoing?: ReactNode
}

export function ConnectPage({ choice, outgoing, ...of }: ConnectPageProps) {
  useDocumentTitle('Connect')
  const { view, change, tokens, error, refetch } = choice
  const [client, setClient] = useState<ConnectClientName | null>(null)
  const show = ({ id }: NewTokenValue, client: ConnectClientName | null) =>
    change({ tokenId: id, kind: null, client })
  const { create, edit, rotate, remove, showValue, dialogs } = useTokenDialogs({
    tokens,
    start: {
      kind: 'mcp',
      prompt: view.promptId === null ? null : of.prompt,
      ...(client !== null && { name: client }),
    },
    client: client ?? view.client,
    onCreated: (created) => show(created, client),
  })
  const createFor = (client: ConnectClientName | null, kind?: TokenType) => {
    setClient(client)
    create(kind)
  }
  const newConnection = (isFirst: boolean) => (
    <NewConnection
      isFirst={isFirst}
      onForm={(kind, client) => createFor(client, kind)}
      onCreated={(created, client) => {
        setClient(client)
        showValue(created)
        show(created, client)
      }}
    />
  )
  const isNarrow = useMediaQuery(ONE_COLUMN)
  const showsDetails = !isNarrow || view.tokenId !== null || view.promptId !== null
  const isEmpty = tokens?.length === 0 && view.promptId === null
  const actions = { onEdit: edit, onRotate: rotate, onDelete: remove }
  const body = () => {
    if (!tokens && error)
      return <ErrorState title="Your tokens could not be loaded" error={error} onRetry={refetch} />
    if (!tokens || !choice.isKnown) return <ConnectSkeleton />
    if (isEmpty) return newConnection(true)
    return (
      <>
        {(!isNarrow || !showsDetails) && newConnection(false)}
        <Panes
          choice={choice}
          isNarrow={isNarrow}
          showsDetails={showsDetails}
          onCreate={(kind) => createFor(null, kind)}
          {...of}
          {...actions}
        />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title="Connect"
        count={tokens && tokens.length > 0 ? summaryOf(tokens) : undefined}
        action={
          <>
            <Button
              variant="ghost"
              asChild
              className="max-md:size-8 max-md:p-0 pointer-coarse:max-md:size-11"
            >
              <a
                href={apiPath('GET /api/docs', {})}
                target="_blank"
                rel="noopener"
                aria-label="OpenAPI, in a new tab"
              >
                <ScrollTextIcon />
                <span className="max-md:hidden">OpenAPI</span>
              </a>
            </Button>
            <CreateButton variant="secondary" label="Create Token" onCreate={() => createFor(null)} />
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-4 pb-16 max-md:px-3.5 max-md:pt-3.5">
        <div className="mx-auto grid max-w-[1360px] grid-cols-[minmax(0,1fr)] gap-3">
          {body()}
          {tokens && choice.isKnown && (!isNarrow || !showsDetails || isEmpty) && outgoing}
        </div>
      </div>
      {dialogs}
    </>
  )
}

interface PanesProps
  extends Pick<ConnectPageProps, 'choice' | 'chain' | 'prompt' | 'viewer'>,
    Pick<ChosenTokenProps, 'onCreate'> {
  isNarrow: boolean
  showsDetails: boolean
  onEdit: (token: OwnToken) => void
  onRotate: (token: OwnToken) => void
  onDelete: (token: OwnToken) => void
}

function Panes({ choice, isNarrow, showsDetails, onCreate, ...rest }: PanesProps) {
  const { chain, prompt, viewer, ...actions } = rest
  const { view, change, listed = [], token, isLost } = choice
  const choose = ({ id }: OwnToken) => change({ tokenId: id, client: null, promptId: null })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 lg:grid-cols-[minmax(280px,316px)_minmax(0,1fr)]">
      {(!isNarrow || !showsDetails) && (
        <TokenList
          tokens={listed}
          chosenId={showsDetails ? (token?.id ?? null) : null}
          kind={view.kind}
          onKind={(kind) => change({ kind, tokenId: null, promptId: null })}
          onChoose={choose}
          {...actions}
        />
      )}
      {showsDetails && (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          {isNarrow && (
            <DetailsHead
              token={token}
              onBack={() => change({ tokenId: null, promptId: null, client: null })}
              {...actions}
            />
          )}
          {isLost && <Banner variant="warn">This token doesn’t exist or isn’t yours.</Banner>}
          {(token !== null || view.promptId !== null) && (
            <ChosenToken
              key={token?.id}
              token={token}
              chain={chain}
              prompt={prompt}
              viewer={viewer}
              onCreate={onCreate}
              client={view.client}
              onClient={(client) => change({ client })}
              onPrompt={(promptId) => change({ promptId, tokenId: token?.id ?? null })}
              onEdit={actions.onEdit}
            />
          )}
        </div>
      )}
    </div>
  )
}

type DetailsHeadProps = Pick<PanesProps, 'onEdit' | 'onRotate' | 'onDelete'> & {
  token: OwnToken | null
  onBack: () => void
}

function DetailsHead({ token, onBack, ...actions }: DetailsHeadProps) {
  return (
    <div className="relative flex min-h-10 min-w-0 items-center gap-1 pr-12">
      <Button variant="ghost" size="icon" aria-label="All tokens" onClick={onBack} className="-ml-1.5">
        <ArrowLeftIcon />
      </Button>
      <h2 className="min-w-0 truncate text-md font-semibold">{token ? nameOf(token) : 'No token yet'}</h2>
      {token && <ItemMenu token={token} name={nameOf(token)} {...actions} />}
    </div>
  )
}

function ConnectSkeleton() {
  return (
    <div
      role="status"
      className="grid animate-late grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-[minmax(280px,316px)_minmax(0,1fr)]"
    >
      <span className="sr-only">Loading your tokens</span>
      <Skeleton className="h-14 rounded-card max-sm:h-28 lg:col-span-2" />
      <Skeleton className="h-[420px] rounded-card" />
      <Skeleton className="h-[560px] rounded-card max-lg:hidden" />
    </div>
  )
}
