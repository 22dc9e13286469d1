import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PromptLinkSlot } from '../../features/chains/steps/step-link.ts'
import {
  promptQuery,
  promptVersionQuery,
  promptVersionsQuery,
} from '../../features/prompts/prompts.queries.ts'
import { type Release, VersionChoice } from '../../features/shared/versions/version-choice.tsx'

/** How many versions a person can choose from; an older one that is already chosen stays. */
const VERSIONS_OFFERED = 50

/** Chooses which of a prompt's texts a step runs. */
export function PromptLinkField({ promptId, onChange, ...slot }: PromptLinkSlot) {
  const queryClient = useQueryClient()
  const { data: prompt } = useQuery(promptQuery(promptId))
  const { data: versions = [] } = useQuery({
    ...promptVersionsQuery(promptId),
    enabled: prompt?.canEdit === true,
  })
  const { labels = [] } = prompt ?? {}
  const readText = async ({ label, version }: Release) => {
    const number = version ?? labels.find((one) => one.label === label)?.version
    if (prompt && (number === undefined || number === prompt.version)) return prompt
    return queryClient.fetchQuery(promptVersionQuery({ id: promptId, number: number ?? 0 }))
  }
  return (
    <VersionChoice
      {...slot}
      name="Runs"
      newest="Current text"
      releases={prompt && { latest: prompt.version, labels, versions: versions.slice(0, VERSIONS_OFFERED) }}
      onChange={(release) => onChange(release, readText(release))}
    />
  )
}
