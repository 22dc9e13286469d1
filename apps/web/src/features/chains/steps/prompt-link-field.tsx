import type { ChainStep, PromptVersion } from '@catenary/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { promptQuery, promptVersionQuery, promptVersionsQuery } from '../../prompts/prompts.queries.ts'
import { type Release, VersionChoice } from '../../records/versions/version-choice.tsx'

const VERSIONS_OFFERED = 50

type StepLink = Pick<ChainStep, 'promptLabel' | 'promptVersion'>

export interface PromptLinkFieldProps {
  promptId: number
  value: Release
  hint: string
  error: string | undefined
  onChange: (release: Release, text: Promise<Pick<PromptVersion, 'title' | 'content'>>) => void
}

export function PromptLinkField({ promptId, onChange, ...props }: PromptLinkFieldProps) {
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
      {...props}
      name="Runs"
      newest="Current text"
      releases={prompt && { latest: prompt.version, labels, versions: versions.slice(0, VERSIONS_OFFERED) }}
      onChange={(release) => onChange(release, readText(release))}
    />
  )
}

export function linkHint({ promptLabel, promptVersion }: StepLink, step: ChainStep | null): string {
  const whose = 'Title and content are the prompt’s'
  if (promptVersion !== null)
    return `${whose}; a run uses version ${promptVersion}, even if the prompt changes.`
  if (promptLabel === null) return `${whose}; a run uses its text at that time.`
  const moved = step && movedTo({ ...step, promptLabel })
  if (moved)
    return `${promptLabel} has been moved since this step was saved: a run uses version ${moved} now.`
  return `${whose}; a run uses the version that ${promptLabel} is on at that time.`
}

function movedTo(step: ChainStep): number | null {
  const { linkedPrompt, content, promptLabel } = step
  return promptLabel !== null && linkedPrompt && linkedPrompt.content !== content
    ? linkedPrompt.version
    : null
}
