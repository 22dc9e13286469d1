import { lacksOf } from '@catenary/contracts'
import { Button } from '../../../components/ui/button.tsx'
import { useModels } from '../../model-settings/models.ts'
import { settingsLine } from '../../model-settings/settings-text.ts'
import type { RunForm } from '../run-form.ts'

export interface AskedSettingsProps {
  form: RunForm
  model: string
  saved?: { form: RunForm; onTake: (change: Pick<RunForm, 'messages' | 'settings'>) => void }
}

export function AskedSettings({ form, model, saved }: AskedSettingsProps) {
  const chosen = useModels().find(({ alias }) => alias === model)
  const { label = model, modelId = '', capabilities } = chosen ?? {}
  const lacks = Object.entries(lacksOf({ label, modelId, capabilities }, form.settings))
  const line = lineOf(form)
  const isOther = saved !== undefined && lineKey(saved.form) !== lineKey(form)
  if (line === '' && !isOther) return null
  return (
    <section aria-label="Settings of the run" className="grid gap-1 text-sm text-text-2">
      <p className="wrap-anywhere">
        {line === '' ? 'No settings' : line}
        {isOther && (
          <>
            {' · '}
            <Button
              variant="link"
              className="inline font-normal"
              onClick={() => saved.onTake({ messages: saved.form.messages, settings: saved.form.settings })}
            >
              As saved
            </Button>
          </>
        )}
      </p>
      {lacks.map(([setting, lack]) => (
        <p key={setting} className="text-warn wrap-anywhere">
          {lack}
          {saved !== undefined && (
            <>
              {' '}
              <Button
                variant="link"
                className="inline font-normal"
                onClick={() =>
                  saved.onTake({ messages: form.messages, settings: without(form.settings, setting) })
                }
              >
                Run without it
              </Button>
            </>
          )}
        </p>
      ))}
    </section>
  )
}

/** The settings of this run without one that the model refuses: what is saved stays. */
function without(settings: RunForm['settings'], setting: string): RunForm['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== setting))
}

function lineOf({ messages, settings }: RunForm): string {
  const turns =
    messages.length === 0 ? [] : [`${messages.length} earlier ${messages.length === 1 ? 'turn' : 'turns'}`]
  return [settingsLine(settings), ...turns].filter((part) => part !== '').join(' · ')
}

const lineKey = ({ messages, settings }: RunForm) => JSON.stringify([messages, settings])
