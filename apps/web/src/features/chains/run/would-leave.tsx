import { useQuery } from '@tanstack/react-query'
import { LockIcon } from 'lucide-react'
import { Banner } from '../../../components/ui/banner.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { sendText } from '../../fills/send-text.ts'
import { sendsQuery } from '../../fills/sends.queries.ts'
import type { ChainRun } from './chain-run.ts'
import type { ChainRunning } from './use-chain-run.ts'

/** The run stopped before others would have seen its private values; its person lets them in one press (D89). */
export function WouldLeave({ run, running }: { run: ChainRun; running: ChainRunning }) {
  const { wouldLeave, details } = run
  const chainId = details?.chainId ?? 0
  const { data: sends = [] } = useQuery({ ...sendsQuery(chainId), enabled: chainId !== 0 })
  if (wouldLeave.length === 0 || !run.canResume) return null
  const known = sends.filter(({ destination }) => wouldLeave.includes(destination))
  return (
    <Banner role="note" aria-label="Private values" icon={<LockIcon className="self-start" />}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1">
          <p>This run holds private values of yours. Nobody was asked. These people would see them:</p>
          <ul className="grid gap-0.5 font-medium">
            {known.map((send) => (
              <li key={send.destination} className="wrap-anywhere">
                {sendText(send)}
              </li>
            ))}
          </ul>
        </div>
        <Button
          size="sm"
          disabled={known.length === 0}
          pending={running.isResuming}
          onClick={() => running.allow(run.id, wouldLeave)}
        >
          Allow and resume
        </Button>
      </div>
    </Banner>
  )
}
