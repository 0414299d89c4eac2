// The command line is an input of the program.
// Prints: <start>, main, ledger

int main(int argc, char **argv)
{
    if (argc > 1)
        return argv[1][0];
}
