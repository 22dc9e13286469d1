import { folderExamples } from '@catenary/domain'
import { KeyRoundIcon } from 'lucide-react'
import { Link } from 'wouter'
import { CopyButton } from '../../components/copy/copy-button.tsx'
import { Button } from '../../components/ui/button.tsx'

/** How the folder goes on in Git: by commands, with a token that Connect makes. */
export function GitPanel() {
  const [pull] = folderExamples({ address: window.location.origin })
  if (pull === undefined) return null
  return (
    <section aria-labelledby="keep-in-git" className="grid gap-3 rounded-card border border-line p-3.5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-[240px] gap-0.5">
          <h3 id="keep-in-git" className="text-sm font-semibold">
            Keep it in Git
          </h3>
          <p className="text-sm text-text-2">
            The same folder by commands, at your desk or in CI. Git stays yours: no server runs it.
          </p>
        </div>
        <Button asChild variant="secondary" size="sm">
          <Link href="/connect?token=new&of=folder">
            <KeyRoundIcon />
            Create folder token
          </Link>
        </Button>
      </div>
      <div className="flex min-w-0 items-start gap-2 rounded-control bg-inset py-2 pr-1.5 pl-3">
        <pre className="min-w-0 flex-1 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {pull.code}
        </pre>
        <CopyButton text={pull.code} label="Copy the commands" />
      </div>
    </section>
  )
}
