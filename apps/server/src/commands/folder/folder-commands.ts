import type { Command } from 'commander'
import { end } from '../say.ts'

const FOLDER_HELP = `
CATENARY_URL is the address of the server, and CATENARY_TOKEN a folder token from the Connect page. It reads and writes what its creator owns. Nothing here runs Git: committing is up to you.`
const CONFLICTS_HELP = `
Files changed on both sides are listed and left alone, and the exit code is 1. Pull with --merge, resolve the conflicts, then push again.`

const EXIT_HELP = `
The exit code is 0 if everything that can run here passed, otherwise 1.`

export function addFolderCommands(program: Command): void {
  const speaking = (name: string, does: string, help: string) =>
    program
      .command(name)
      .description(does)
      .option('--url <address>', 'of the server; default: CATENARY_URL')
      .addHelpText('after', FOLDER_HELP + help)
  speaking('pull', 'write the server’s records into a folder', CONFLICTS_HELP)
    .argument('[folder]', 'where', '.')
    .option('--label <label>', 'the version that this label points to', 'latest')
    .option(
      '--merge',
      'write both versions into a file that changed on both sides, between markers like Git’s',
    )
    .action(async (folder: string, options) => end((await import('./pull.ts')).pull({ folder, ...options })))
  speaking('push', 'create new versions of what differs in a folder', CONFLICTS_HELP)
    .argument('[folder]', 'which', '.')
    .option('-m, --message <text>', 'note on the new versions')
    .option('--label <label>', 'move this label to what is pushed, unless it is protected')
    .option('--base <folder>', 'what the server had before, as another checkout; default: catenary.lock')
    .option('--dry-run', 'only show what would be done')
    .action(async (folder: string, options) => end((await import('./push.ts')).push({ folder, ...options })))
  speaking('diff', 'show how a folder differs from the server', '')
    .argument('[folder]', 'which', '.')
    .option('--label <label>', 'compare with the version that this label points to', 'latest')
    .option('--check', 'exit with 1 if there is a difference')
    .action(async (folder: string, options) =>
      end((await import('./diff.ts')).diffFolder({ folder, ...options })),
    )
  speaking('evaluate', 'run a test suite on the server, as a gate', EXIT_HELP)
    .requiredOption('--suite <suite>', 'its path in the folder, or a name such as refund-reply/tone')
    .option('--label <label>', 'the version to test', 'candidate')
    .option('--model <alias>', 'the model that answers; needed if the prompt has no model')
    .option('--judge <alias>', 'the model for model-graded tests')
    .option('--ceiling <dollars>', 'start no more tests once this is spent', '1')
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('--timeout <seconds>', 'give up waiting', '3600')
    .action(async (options) => end((await import('./evaluate.ts')).evaluate(options)))
}
