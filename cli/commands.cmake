# One line per subcommand: kg_command(<name> <libraries it calls>). Its source is cli/cmd_<name>.cpp.
kg_command(runner kg_daemon)
kg_command(simulate kg_simulate)
kg_command(compare kg_compare kg_report)
kg_command(trigger kg_hook)
kg_command(hook kg_hook)
kg_command(server kg_server)
kg_command(token kg_server)
kg_command(repository kg_client)
