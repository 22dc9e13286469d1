import { useQuery } from '@tanstack/react-query'
import { chainQuery } from '../../features/chains/chains.queries.ts'
import { promptQuery } from '../../features/prompts/prompts.queries.ts'
import { ConnectPage } from '../../features/tokens/connect/connect-page.tsx'
import { useConnectChoice } from '../../features/tokens/connect/use-connect-choice.ts'
import { WebhooksSection } from '../../features/webhooks/webhooks-section.tsx'
import { useSession } from '../../lib/session/session.tsx'

export default function ConnectRoute() {
  const { user } = useSession()
  const choice = useConnectChoice()
  const { chainId, promptId } = choice
  const { data: chain = null } = useQuery({ ...chainQuery(chainId ?? 0), enabled: chainId !== null })
  const { data: prompt = null } = useQuery({ ...promptQuery(promptId ?? 0), enabled: promptId !== null })
  if (!user) return null
  return (
    <ConnectPage
      choice={choice}
      chain={chain}
      prompt={prompt}
      viewer={user.username}
      outgoing={<WebhooksSection />}
    />
  )
}
