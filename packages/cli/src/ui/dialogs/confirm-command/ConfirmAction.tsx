/** Asks before a slash command continues. Closes with true for yes, 'remember' for the third answer. */
import type { FilesReport } from '@gemini-cli/core';
import type { ReactNode } from 'react';
import { Prose } from '../../components/Prose.js';
import { Question } from '../../components/Question.js';
import type { DialogProps } from '../dialog.js';
import { FileChanges } from '../files/FileChanges.js';

export interface ConfirmActionProps {
  /** Text, or an element that the command has made. */
  prompt: ReactNode;
  /** The third answer, if there is one. */
  remember?: { label: string };
  /** Shown instead of the prompt: what happens to files. */
  files?: (FilesReport & { question: string }) | undefined;
}

type Answer = boolean | 'remember';

export function ConfirmActionDialog({ services, props, close }: DialogProps<ConfirmActionProps, Answer>) {
  const { prompt, files, remember } = props;
  const items: { value: Answer; label: string }[] = [
    { value: true, label: 'Yes' },
    ...(remember ? [{ value: 'remember' as const, label: remember.label }] : []),
    { value: false, label: 'No (esc)' },
  ];
  return (
    <Question
      title="Are you sure?"
      question={files?.question}
      items={items}
      onSelect={close}
      onCancel={() => close(false)}
    >
      {files ? (
        <FileChanges changes={files.steps} cwd={services.cwd} problem={files.problem} />
      ) : (
        <Prose>{prompt}</Prose>
      )}
    </Question>
  );
}
