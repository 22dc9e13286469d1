import { MODEL_ALIASES, MODELS, neededSetting } from '@catenary/contracts'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from '../../components/ui/dialog.tsx'

/** Which setting brings a real model. */
export default function ModelKeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent className="max-w-[460px]" aria-describedby="model-key-description">
        <DialogHeader>
          <DialogTitle>Add a model key</DialogTitle>
          <DialogDescription id="model-key-description">
            Set one of these where Catenary runs, in its environment or in its <code>.env</code> file, and
            start it again. One key is enough.
          </DialogDescription>
        </DialogHeader>
        <DialogBody className="gap-2">
          {MODEL_ALIASES.map((alias) =>
            MODELS[alias].needs === 'apiKey' ? (
              <NeededSetting key={alias} model={MODELS[alias].label} variable={neededSetting(alias)} />
            ) : (
              <OwnServer key={alias} {...MODELS[alias].settings} />
            ),
          )}
        </DialogBody>
      </DialogContent>
    </Dialog>
  )
}

function NeededSetting({ model, variable }: { model: string; variable: string }) {
  return (
    <div className="flex items-center gap-3 rounded-control border border-line bg-inset py-1 pr-1 pl-3">
      <span className="w-16 text-sm text-text-2">{model}</span>
      <code className="prompt-text flex-1">{variable}</code>
      <CopyButton text={`${variable}=`} label={`Copy ${variable}`} />
    </div>
  )
}

function OwnServer({ baseUrl, modelId }: { baseUrl: string; modelId: string }) {
  return (
    <p className="mt-2 text-xs text-text-3">
      For your own OpenAI-compatible server, set <code>{baseUrl}</code> and <code>{modelId}</code>.
    </p>
  )
}
