/** Reports that what it holds cannot be drawn, and draws nothing. Ink would show a stack trace that no key closes. */
import { Component, type ReactNode } from 'react';

export interface FailureBoundaryProps {
  /** What is drawn; with another one it tries again. */
  subject: unknown;
  onFailure(error: unknown): void;
  children: ReactNode;
}

interface State {
  hasFailed: boolean;
}

export class FailureBoundary extends Component<FailureBoundaryProps, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    // React is still at work, and the answer to a failure unmounts everything.
    queueMicrotask(() => this.props.onFailure(error));
  }

  override componentDidUpdate({ subject }: FailureBoundaryProps): void {
    if (this.state.hasFailed && subject !== this.props.subject) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
