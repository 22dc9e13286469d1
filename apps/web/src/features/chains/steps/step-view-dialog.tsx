import type { AskedSettings, Chain, ChainStep } from '@catenary/contracts'
import { stepTitle } from '@catenary/domain'
import { PlainDialog } from '../../../components/plain-dialog.tsx'
import { TemplateText } from '../../../components/template-text.tsx'
import { Badge } from '../../../components/ui/badge.tsx'
import { useModelLabel } from '../../model-settings/models.ts'
import { settingWords, showTurns } from '../../model-settings/settings-text.ts'
import { FlowBadges } from './flow/flow-badges.tsx'
import { FlowLines } from './flow/loop-line.tsx'
import { KindBadges, KindQuestion, kindOf } from './kinds.tsx'
import { PreviewButton } from './preview/preview-button.tsx'
import { jsonNamesOf, jsonOutputsOf, textOfStep } from './step-as-run.ts'

export interface StepViewDialogProps {
  chain: Chain
  step: ChainStep
  onClose: () => void
}

export function StepViewDialog({ chain, step, onClose }: StepViewDialogProps) {
  const { View } = kindOf(step)
  const content = View ? '' : textOfStep(step)
  const syntax = { outputs: true, jsonOutputs: jsonNamesOf(step, jsonOutputsOf(chain.steps)) }
  const labelOf = useModelLabel()
  return (
    <PlainDialog
      title={stepTitle(step)}
      description={[
        ...(step.model === null ? [] : [labelOf(step.model)]),
        ...settingWords(askedOf(step)),
      ].join(' · ')}
      headerActions={<PreviewButton chain={chain} step={step} />}
      onClose={onClose}
    >
      <div className="flex flex-wrap gap-1.5">
        <KindBadges step={step} />
        {step.outputVariableName !== '' && (
          <Badge variant="outline" className="text-out">
            Output: {step.outputVariableName}
          </Badge>
        )}
        <FlowBadges step={step} />
      </div>
      <FlowLines step={step} />
      <KindQuestion step={step} />
      {View && <View step={step} />}
      {content !== '' && <TemplateText text={content} {...syntax} />}
      {content === '' && step.model !== null && <p className="text-sm text-text-3">No content provided</p>}
      {step.messages && (
        <section aria-label="Turns" className="grid gap-1.5 border-t border-line pt-3">
          <h3 className="text-xs font-medium tracking-normal text-text-2">Turns</h3>
          <TemplateText text={showTurns(step.messages)} {...syntax} />
        </section>
      )}
      {step.systemPrompt && (
        <section aria-label="System prompt" className="grid gap-1.5 border-t border-line pt-3">
          <h3 className="text-xs font-medium tracking-normal text-text-2">System prompt</h3>
          <TemplateText text={step.systemPrompt} {...syntax} />
        </section>
      )}
    </PlainDialog>
  )
}

function askedOf({ effort, temperature, maxTokens, stop, output }: ChainStep): AskedSettings {
  const texts = Array.isArray(stop) ? stop : undefined
  return {
    effort,
    temperature: temperature ?? undefined,
    maxTokens: maxTokens ?? undefined,
    stop: texts,
    output,
  }
}
