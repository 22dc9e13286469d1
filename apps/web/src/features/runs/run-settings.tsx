import type { PromptRun } from '@catenary/contracts'
import { ContentViewer } from '../../components/content-viewer/content-viewer.tsx'
import { settingsLine, showTurns } from '../model-settings/settings-text.ts'

export function RunSettingsLine({ run: { settings } }: { run: Pick<PromptRun, 'settings'> }) {
  const line = settingsLine(settings ?? {})
  return line === '' ? null : <p className="text-sm text-text-2 wrap-anywhere">{line}</p>
}

export function RunTurns({ run: { messages = [] } }: { run: Pick<PromptRun, 'messages'> }) {
  return messages.length === 0 ? null : (
    <ContentViewer title="Turns" content={showTurns(messages)} view="source" />
  )
}
